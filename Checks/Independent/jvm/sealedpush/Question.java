package sealedpush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A vector, or a question of the tool, that is a message: what the receiver has, and what arrives. */
record Question(String topic, long now, DeviceKeys deviceKeys, Senders senders, Set<Suite> suites, boolean anonymous,
    Set<String> accounts, boolean locked, Deadline deadline, String payload, String after) {
  private static final Duration ENOUGH = Duration.ofMinutes(10);

  /** Reads the members that vectors and questions share. */
  static Question of(Json.Obj vector, DeviceKeys deviceKeys, Senders senders) {
    Json.Obj accepts = vector.object("accepts");
    boolean isAll = !vector.has("accepts");
    Set<Suite> suites = isAll ? EnumSet.allOf(Suite.class) : EnumSet.noneOf(Suite.class);
    if (!isAll) for (Object name : (List<?>) accepts.get("suites")) suites.add(named(Suite.values(), (String) name));
    Set<String> accounts = null;
    if (vector.get("accounts") instanceof List<?> tags) {
      accounts = new HashSet<>();
      for (Object tag : tags) accounts.add((String) tag);
    }
    boolean late = vector.has("deadline");
    return new Question(vector.string("topic"), vector.seconds("now"), deviceKeys, senders, suites,
        isAll || accepts.get("anonymous").equals(true), accounts, vector.has("locked"),
        late ? new Deadline(System.nanoTime()) : Deadline.in(ENOUGH), vector.string("payload"), vector.string("after"));
  }

  /** An opener whose memory is in the folder. */
  Opener opener(Path folder) { return opener(new FileReplayMemory(folder.resolve("memory"), 100)); }

  Opener opener(ReplayMemory memory) {
    DeviceKeys keys = locked ? () -> { throw Refused.keyLocked(); } : deviceKeys;
    return new Opener(topic, keys, senders, memory).suites(suites).acceptingAnonymous(anonymous).accounts(accounts);
  }

  /** The suite or the push type with the name that the format gives it. */
  static <T extends Enum<T>> T named(T[] values, String name) {
    for (T value : values) if (value.name().replace("_", "").equalsIgnoreCase(name.replace("-", ""))) return value;
    throw new IllegalStateException("nobody knows " + name);
  }

  static Json.Obj object(String payload) {
    Json.Obj object = Json.objectOrNull(Bytes.utf8(payload));
    if (object == null) throw new IllegalStateException("a payload that is no object");
    return object;
  }

  interface Work<T> {
    T with(Path folder) throws IOException, Refused, Json.Malformed, java.security.GeneralSecurityException;
  }

  /** Does something in a folder of its own, and removes it. */
  static <T> T inFolder(Work<T> work) throws IOException, Refused, Json.Malformed,
      java.security.GeneralSecurityException {
    Path folder = Files.createTempDirectory("sealedpush");
    try {
      return work.with(folder);
    } finally {
      var left = new ArrayList<Path>();
      try (var files = Files.list(folder)) {
        files.forEach(left::add);
      }
      for (Path file : left) Files.delete(file);
      Files.delete(folder);
    }
  }

  Delivery notification() throws Exception {
    return inFolder(folder -> {
      var opener = opener(folder);
      if (after != null) opener.notification(object(after), now, deadline);
      return opener.notification(object(payload), now, deadline);
    });
  }

  /** What becomes of it where FCM brought it. */
  Delivery fcm() throws Exception {
    var data = new HashMap<String, String>();
    object(payload).members().forEach((name, value) -> data.put(name, (String) value));
    return inFolder(folder -> opener(folder).fcm(data, now, deadline));
  }

  Opened data(PushType type) throws Exception {
    return inFolder(folder -> {
      var opener = opener(folder);
      if (after != null) opener.data(object(after), type, now, deadline);
      return opener.data(object(payload), type, now, deadline);
    });
  }
}
