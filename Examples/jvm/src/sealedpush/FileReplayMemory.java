package sealedpush;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A replay memory in a file, which several threads and processes may use. The file is replaced as a whole, so a
 * crash leaves it as it was. A line is an entry, what was recorded first is first; or an origin and its floor.
 */
public final class FileReplayMemory implements ReplayMemory {
  private static final long LONGEST_VALIDITY = 2_592_300;
  private static final long MOST_WAIT = TimeUnit.SECONDS.toNanos(2);
  private static final String EVERY_ORIGIN = "*";
  /** A process locks a file once, whichever of its threads wants it. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path file;
  private final int bound;

  /** A memory of at most {@code bound} messages, each of some 170 bytes. */
  public FileReplayMemory(Path file, int bound) {
    if (bound < 1) throw new IllegalArgumentException("a memory holds at least one message");
    this.file = file;
    this.bound = bound;
  }

  @Override public Freshness check(Entry entry, long now, Deadline deadline) throws Refused {
    Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
    long until = System.nanoTime() + Math.min(MOST_WAIT, deadline.left() / 2);
    try {
      if (!THREADS.tryLock(until - System.nanoTime(), TimeUnit.NANOSECONDS)) return Freshness.NOT_CHECKED;
      try (var channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = lock(channel, until)) {
        if (lock == null) return Freshness.NOT_CHECKED;
        var contents = Contents.read(file, now);
        Freshness freshness = contents.check(entry, now, bound);
        AtomicFile.write(file, Bytes.utf8(contents.text()));
        return freshness;
      } finally {
        THREADS.unlock();
      }
    } catch (IOException | InterruptedException fault) {
      if (fault instanceof InterruptedException) Thread.currentThread().interrupt();
      return Freshness.NOT_CHECKED;
    }
  }

  private static FileLock lock(FileChannel channel, long until) throws IOException, InterruptedException {
    for (; ; ) {
      FileLock lock = channel.tryLock();
      if (lock != null || System.nanoTime() - until > 0) return lock;
      Thread.sleep(5);
    }
  }

  /** Entries by name, and the floor of each origin that lost one. */
  private record Contents(Map<String, Entry> entries, Map<String, Long> floors) {
    /** Of a damaged file nothing is known: whatever may have been opened before is at the floor or below it. */
    static Contents read(Path file, long now) throws IOException {
      var contents = new Contents(new LinkedHashMap<>(), new TreeMap<>());
      try {
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
          String[] words = line.split(" ");
          long last = Long.parseLong(words[words.length - 1]);
          if (words.length == 2) contents.floors.put(words[0], last);
          else contents.entries.put(words[1], new Entry(words[0], words[1], words[2], Long.parseLong(words[3]), last));
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException | CharacterCodingException damage) {
        contents.floors.put(EVERY_ORIGIN, now + Plaintext.CLOCKS_MAY_DIFFER);
      }
      return contents;
    }

    String text() {
      var text = new StringBuilder();
      for (Entry entry : entries.values()) {
        text.append(String.join(" ", entry.origin(), entry.name(), entry.digest())).append(' ').append(entry.issued())
            .append(' ').append(entry.lastSecond()).append('\n');
      }
      floors.forEach((origin, floor) -> text.append(origin).append(' ').append(floor).append('\n'));
      return text.toString();
    }

    Freshness check(Entry entry, long now, int bound) throws Refused {
      entries.values().removeIf(remembered -> now > remembered.lastSecond());
      floors.values().removeIf(floor -> now > floor + LONGEST_VALIDITY);
      Entry old = entries.get(entry.name());
      if (old != null) {
        Refused.unless(old.digest().equals(entry.digest()), "7.1", Reason.REPLAYED);
        entries.put(entry.name(), new Entry(entry.origin(), entry.name(), entry.digest(),
            Math.max(old.issued(), entry.issued()), Math.max(old.lastSecond(), entry.lastSecond())));
        return Freshness.DUPLICATE;
      }
      long floor = Math.max(floors.getOrDefault(entry.origin(), -1L), floors.getOrDefault(EVERY_ORIGIN, -1L));
      if (entry.issued() <= floor) return Freshness.NOT_CHECKED;
      entries.put(entry.name(), entry);
      for (Iterator<Entry> first = entries.values().iterator(); entries.size() > bound; first.remove()) {
        Entry dropped = first.next();
        floors.merge(dropped.origin(), dropped.issued(), Math::max);
      }
      return Freshness.FIRST;
    }
  }
}
