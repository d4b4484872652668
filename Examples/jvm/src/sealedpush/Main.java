package sealedpush;

import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;

/** A device's keys, enrolments and messages from a command line: what an app does, without a phone. */
public final class Main {
  private static final String USAGE = """
      keys   --keys FILE --kind P256|X25519                         make a key, which becomes the active one
      enrol  --keys FILE --identity FILE --topic ID --audience NAME --token TOKEN [--challenge TEXT] [--proof TEXT]
      leave  --keys FILE --identity FILE --topic ID --audience NAME --token TOKEN
      open   --keys FILE --senders FILE [--roots FILE] --topic ID [--shared FILE] [--memory FILE] [--now SECONDS]
             open what FCM brought: an object of strings in each line of standard input""";

  private final Map<String, String> options = new HashMap<>();
  private final long now;

  private Main(String[] arguments) {
    for (int at = 1; at + 1 < arguments.length; at += 2) options.put(arguments[at], arguments[at + 1]);
    now = options.containsKey("--now") ? Long.parseLong(option("--now")) : System.currentTimeMillis() / 1000;
  }

  private String option(String name) {
    if (!options.containsKey(name)) throw new IllegalArgumentException(name + " is missing\n" + USAGE);
    return options.get(name);
  }

  private Path file(String name) { return Paths.get(option(name)); }

  private Enroller enroller() throws Exception {
    Path identity = file("--identity");
    var wrapping = IdentityFile.Wrapping.NONE;
    return new Enroller(Files.exists(identity) ? new IdentityFile(identity, wrapping, Ed25519.PLATFORM)
        : IdentityFile.create(identity, wrapping, Ed25519.PLATFORM, now), KeyFile.read(file("--keys")),
        option("--topic"), option("--audience"), option("--token"));
  }

  private Senders senders() throws Exception {
    String text = new String(Files.readAllBytes(file("--senders")), StandardCharsets.UTF_8).trim();
    if (text.startsWith("{")) return Senders.of(KeySet.read(Json.objectOrNull(Bytes.utf8(text)), false));
    KeySet roots = KeySet.read(Json.objectOrNull(Files.readAllBytes(file("--roots"))), false);
    return SignedSenders.read(text, roots, option("--topic"), Ed25519.PLATFORM).senders();
  }

  private void open() throws Exception {
    var files = new ArrayList<>(List.of(file("--keys")));
    if (options.containsKey("--shared")) files.add(file("--shared"));
    ReplayMemory memory = options.containsKey("--memory") ? new FileReplayMemory(file("--memory"), 1000)
        : (entry, now, deadline) -> ReplayMemory.Freshness.NOT_CHECKED;
    var opener = new Opener(option("--topic"), KeyFile.read(files.toArray(Path[]::new)), senders(), memory)
        .suites(EnumSet.allOf(Suite.class));
    for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
      var data = new HashMap<String, String>();
      var object = (Json.Obj) Json.parse(Bytes.utf8(lines.nextLine()));
      object.members().forEach((name, value) -> data.put(name, (String) value));
      System.out.println(Json.write(new Json.Obj(answer(opener.fcm(data, now, Deadline.in(Duration.ofSeconds(10)))))));
    }
  }

  private static Map<String, Object> answer(Delivery delivery) {
    if (delivery instanceof Delivery.Degraded degraded) {
      return new TreeMap<>(Map.of("reason", degraded.reason().code(), "rule", degraded.rule()));
    }
    if (delivery instanceof Delivery.Request asked) return Map.of("proof", asked.request().proof());
    Opened message = delivery instanceof Delivery.Shown shown ? shown.message() : ((Delivery.Data) delivery).message();
    return new TreeMap<>(Map.of("opened", message.text(), "freshness", message.freshness().toString()));
  }

  public static void main(String[] arguments) throws Exception {
    var main = new Main(arguments);
    switch (arguments.length == 0 ? "" : arguments[0]) {
      case "keys" -> KeyFile.rotate(main.file("--keys"), Jwk.Kind.valueOf(main.option("--kind")), main.now);
      case "enrol" -> System.out.println(main.enroller().enrolment(main.now, main.options.get("--challenge"),
          main.options.get("--proof")));
      case "leave" -> System.out.println(main.enroller().leave(main.now));
      case "open" -> main.open();
      default -> System.err.println(USAGE);
    }
  }
}
