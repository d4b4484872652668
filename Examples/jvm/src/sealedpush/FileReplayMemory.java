package sealedpush;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Pattern;

/**
 * A replay memory in a file, which several threads and processes may use. A line is an entry, what was recorded first
 * is first; or an origin and its floor.
 */
public final class FileReplayMemory implements ReplayMemory {
  private static final long LONGEST_VALIDITY = 2_592_300;
  private static final String EVERY_ORIGIN = "*";
  private static final Pattern LINE = Pattern.compile(
      "(?<origin>[^ \n]+) ((?<name>[^ \n]+) (?<digest>[^ \n]+) (?<issued>[0-9]{1,18}) )?(?<last>[0-9]{1,18})\n");

  private final Path file;
  private final int bound;

  /** A memory of at most {@code bound} messages, each of some 170 bytes. */
  public FileReplayMemory(Path file, int bound) {
    if (bound < 1) throw new IllegalArgumentException("a memory holds at least one message");
    this.file = file;
    this.bound = bound;
  }

  @Override public Freshness check(Entry entry, long now, Deadline deadline) throws Refused {
    try (var locked = new LockedFile(file, Math.min(LockedFile.MOST_WAIT, deadline.left() / 2))) {
      var contents = new Contents(new LinkedHashMap<>(), new TreeMap<>());
      if (locked.exists()) contents.read(new String(locked.read(), StandardCharsets.UTF_8), now);
      Freshness freshness = contents.check(entry, now, bound);
      locked.write(Bytes.utf8(contents.text()));
      return freshness;
    } catch (IOException fault) {
      return Freshness.NOT_CHECKED;
    }
  }

  /** Entries by name, and the floor of each origin that lost one. */
  private record Contents(Map<String, Entry> entries, Map<String, Long> floors) {
    /** Of a damaged file nothing is known: whatever may have been opened before is at the floor or below it. */
    void read(String text, long now) {
      var line = LINE.matcher(text);
      for (; line.lookingAt(); line.region(line.end(), text.length())) {
        String name = line.group("name");
        long last = Long.parseLong(line.group("last"));
        if (name == null) floors.put(line.group("origin"), last);
        else entries.put(name, new Entry(line.group("origin"), name, line.group("digest"),
            Long.parseLong(line.group("issued")), last));
      }
      boolean isDamaged = text.isEmpty() || line.regionStart() < text.length();
      if (isDamaged) floors.put(EVERY_ORIGIN, now + Plaintext.CLOCKS_MAY_DIFFER);
    }

    String text() {
      var text = new StringBuilder();
      entries.values().forEach(entry -> text.append(entry.origin() + " " + entry.name() + " " + entry.digest() + " "
          + entry.issued() + " " + entry.lastSecond() + "\n"));
      floors.forEach((origin, floor) -> text.append(origin + " " + floor + "\n"));
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
