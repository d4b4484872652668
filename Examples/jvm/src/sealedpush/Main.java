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
      open   --keys FILE --senders FILE [--roots FILE] --topic ID --memory FILE [--shared FILE]
             open what FCM brought: an object of strings in each line of standard input""";

  private final Map<String, String> options = new HashMap<>();

  private String option(String name) {
    if (!options.containsKey(name)) throw new IllegalArgumentException(name + " is missing\n" + USAGE);
    return options.get(name);
  }

  private Path file(String name) { return Paths.get(option(name)); }

  private static long now() { return System.currentTimeMillis() / 1000; }

  private Enroller enroller() throws Exception {
    Path file = file("--identity");
    Identity identity = Files.exists(file) ? new IdentityFile(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM)
        : IdentityFile.create(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM, now());
    return new Enroller(identity, KeyFile.read(file("--keys")), option("--topic"), option("--audience"),
        option("--token"));
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
    var opener = new Opener(option("--topic"), KeyFile.read(files.toArray(Path[]::new)), senders(),
        new FileReplayMemory(file("--memory"), 1000)).suites(EnumSet.allOf(Suite.class));
    for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
      var data = new HashMap<String, String>();
      var object = (Json.Obj) Json.parse(Bytes.utf8(lines.nextLine()));
      object.members().forEach((name, value) -> data.put(name, (String) value));
      System.out.println(Json.write(answer(opener.fcm(data, now(), Deadline.in(Duration.ofSeconds(10))))));
    }
  }

  private static Json.Obj answer(Delivery delivery) {
    if (delivery instanceof Delivery.Degraded degraded) {
      return Json.Obj.of("reason", degraded.reason().code(), "rule", degraded.rule());
    }
    if (delivery instanceof Delivery.Request asked) return Json.Obj.of("proof", asked.request().proof());
    Opened message = delivery instanceof Delivery.Shown shown ? shown.message() : ((Delivery.Data) delivery).message();
    return Json.Obj.of("opened", message.text(), "freshness", message.freshness().toString());
  }

  public static void main(String[] arguments) throws Exception {
    var main = new Main();
    for (int at = 1; at + 1 < arguments.length; at += 2) main.options.put(arguments[at], arguments[at + 1]);
    switch (arguments.length == 0 ? "" : arguments[0]) {
      case "keys" -> KeyFile.rotate(main.file("--keys"), Jwk.Kind.valueOf(main.option("--kind")), now());
      case "enrol" -> System.out.println(main.enroller().enrolment(now(), main.options.get("--challenge"),
          main.options.get("--proof")));
      case "leave" -> System.out.println(main.enroller().leave(now()));
      case "open" -> main.open();
      default -> System.err.println(USAGE);
    }
  }
}
