package sealedpush;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A replay memory in a file, which several threads and processes may use. The file is replaced as a whole, so a
 * crash leaves it as it was. What was recorded first is first.
 */
public final class FileReplayMemory implements ReplayMemory {
  private static final int FORMAT = 0x53504d31;
  private static final long LONGEST_VALIDITY = 2_592_300;
  private static final long MOST_WAIT = TimeUnit.SECONDS.toNanos(2);
  /** A process locks a file once, whichever of its threads wants it. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path file;
  private final int bound;

  /** A memory of at most {@code bound} messages; an entry takes 120 bytes. */
  public FileReplayMemory(Path file, int bound) {
    if (bound < 1) throw new IllegalArgumentException("a memory holds at least one message");
    this.file = file;
    this.bound = bound;
  }

  @Override public Freshness check(Entry entry, long now, Deadline deadline) throws Refused {
    long until = System.nanoTime() + Math.min(MOST_WAIT, deadline.left() / 2);
    try {
      if (!THREADS.tryLock(until - System.nanoTime(), TimeUnit.NANOSECONDS)) return Freshness.NOT_CHECKED;
      try (var channel = FileChannel.open(Path.of(file + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = lock(channel, until)) {
        if (lock == null) return Freshness.NOT_CHECKED;
        var contents = Contents.read(file);
        Freshness freshness = contents.check(entry, now, bound);
        AtomicFile.write(file, contents.bytes());
        return freshness;
      } finally {
        THREADS.unlock();
      }
    } catch (IOException fault) {
      return Freshness.NOT_CHECKED;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
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
    static Contents read(Path file) throws IOException {
      var contents = new Contents(new LinkedHashMap<>(), new LinkedHashMap<>());
      if (!Files.exists(file)) return contents;
      var input = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (input.readInt() != FORMAT) throw new IOException("not a replay memory");
      for (int rest = input.readInt(); rest > 0; rest -= 1) {
        var entry = new Entry(bytes(input), bytes(input), bytes(input), input.readLong(), input.readLong());
        contents.entries.put(Bytes.base64url(entry.name()), entry);
      }
      for (int rest = input.readInt(); rest > 0; rest -= 1) contents.floors.put(input.readUTF(), input.readLong());
      return contents;
    }

    private static byte[] bytes(DataInputStream input) throws IOException {
      byte[] bytes = new byte[input.readUnsignedByte()];
      input.readFully(bytes);
      return bytes;
    }

    byte[] bytes() throws IOException {
      var result = new ByteArrayOutputStream();
      var output = new DataOutputStream(result);
      output.writeInt(FORMAT);
      output.writeInt(entries.size());
      for (Entry entry : entries.values()) {
        for (byte[] field : new byte[][] {entry.origin(), entry.name(), entry.digest()}) {
          output.writeByte(field.length);
          output.write(field);
        }
        output.writeLong(entry.issued());
        output.writeLong(entry.lastSecond());
      }
      output.writeInt(floors.size());
      for (var floor : floors.entrySet()) {
        output.writeUTF(floor.getKey());
        output.writeLong(floor.getValue());
      }
      return result.toByteArray();
    }

    Freshness check(Entry entry, long now, int bound) throws Refused {
      entries.values().removeIf(remembered -> now > remembered.lastSecond());
      floors.values().removeIf(floor -> now > floor + LONGEST_VALIDITY);
      String name = Bytes.base64url(entry.name());
      Entry remembered = entries.get(name);
      if (remembered != null) {
        Refused.unless(java.util.Arrays.equals(remembered.digest(), entry.digest()), "7.1", Reason.REPLAYED);
        entries.put(name, new Entry(entry.origin(), entry.name(), entry.digest(),
            Math.max(remembered.issued(), entry.issued()), Math.max(remembered.lastSecond(), entry.lastSecond())));
        return Freshness.DUPLICATE;
      }
      Long floor = floors.get(Bytes.base64url(entry.origin()));
      if (floor != null && entry.issued() <= floor) return Freshness.NOT_CHECKED;
      entries.put(name, entry);
      for (Iterator<Entry> first = entries.values().iterator(); entries.size() > bound; ) {
        Entry dropped = first.next();
        floors.merge(Bytes.base64url(dropped.origin()), dropped.issued(), Math::max);
        first.remove();
      }
      return Freshness.FIRST;
    }
  }
}
