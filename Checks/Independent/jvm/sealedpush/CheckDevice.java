package sealedpush;

import static sealedpush.ReplayMemory.Freshness.DUPLICATE;
import static sealedpush.ReplayMemory.Freshness.FIRST;
import static sealedpush.ReplayMemory.Freshness.NOT_CHECKED;

import java.math.BigInteger;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** What no vector shows: files, the replay memory's bounds, what FCM brings, enrolments and leaves. */
public final class CheckDevice {
  private static final long NOW = 1_795_000_060;
  private static final Deadline ENOUGH = Deadline.in(Duration.ofMinutes(10));

  private interface Test {
    void run(Path folder) throws Exception;
  }

  private final Path vectors;
  private int passed = 0;
  private int failed = 0;

  private CheckDevice(Path vectors) { this.vectors = vectors; }

  private static void require(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }

  private void test(String name, Test test) throws Exception {
    Question.inFolder(folder -> {
      try {
        test.run(folder);
        passed += 1;
      } catch (Exception exception) {
        failed += 1;
        System.out.println("FAILED " + name + ": " + exception);
      }
      return null;
    });
  }

  private Json.Obj file(String name) throws Exception {
    return (Json.Obj) Json.parse(Files.readAllBytes(vectors.resolve(name)), 100);
  }

  private Json.Obj vector(String file, String list, String id) throws Exception {
    for (Object element : (List<?>) file(file).get(list)) {
      if (element instanceof Json.Obj vector && vector.get("id").equals(id)) return vector;
    }
    throw new IllegalStateException("no vector " + id);
  }

  private Opener opener(Path folder) throws Exception {
    var keys = new KeyFile(List.of(KeySet.read(file("keys.json").object("device"), true)));
    var senders = Senders.of(KeySet.read(file("keys.json").object("sender"), true));
    return new Opener("com.example.app", keys, senders, new FileReplayMemory(folder.resolve("memory"), 10))
        .acceptingAnonymous(true);
  }

  private static Map<String, String> fcm(Json.Obj vector) {
    return Map.of("ENCRYPTED_DATA", Question.object(vector.string("payload")).string("ENCRYPTED_DATA"));
  }

  private static ReplayMemory.Entry entry(String origin, int name, String digest, long issued, long last) {
    return new ReplayMemory.Entry(origin, "name" + name, digest, issued, last);
  }

  private void run() throws Exception {
    files();
    memory();
    messages();
    enrolments();
    signatures();
    System.out.printf("%d passed, %d failed%n", passed, failed);
  }

  private void files() throws Exception {
    test("a new key file is the owner's alone, and a rotation keeps the old keys", folder -> {
      Path file = folder.resolve("keys");
      KeyFile.rotate(file, Jwk.Kind.P256, NOW);
      KeyFile.rotate(file, Jwk.Kind.X25519, NOW);
      var before = KeyFile.read(file).keys();
      KeyFile.rotate(file, Jwk.Kind.X25519, NOW + 1);
      var after = KeyFile.read(file).keys();
      require(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).equals("rw-------"), "mode");
      require(after.size() == 3 && after.get(0).jwk().isActive() && after.get(2).jwk().isActive(), "active");
      require(after.get(1).jwk().kid().equals(before.get(0).jwk().kid()) && !after.get(1).jwk().isActive(),
          "accepted");
    });
    test("a file whose public key is another's is refused", folder -> {
      for (var kind : List.of(Jwk.Kind.P256, Jwk.Kind.X25519)) {
        Path one = folder.resolve("one" + kind);
        Path two = folder.resolve("two" + kind);
        KeyFile.rotate(one, kind, NOW);
        KeyFile.rotate(two, kind, NOW);
        Jwk first = KeySet.read(Json.objectOrNull(Files.readAllBytes(one)), true).keys().get(0);
        Jwk second = KeySet.read(Json.objectOrNull(Files.readAllBytes(two)), true).keys().get(0);
        var mixed = new KeySet(List.of(Jwk.of(kind, first.publicKey(), second.secret(), NOW, true)), null, 0);
        require(isRefused(() -> new KeyFile(List.of(mixed))), "accepted " + kind);
      }
    });
    test("a P-256 key with the other y is refused", folder -> {
      KeyFile.rotate(folder.resolve("keys"), Jwk.Kind.P256, NOW);
      Jwk key = KeySet.read(Json.objectOrNull(Files.readAllBytes(folder.resolve("keys"))), true).keys().get(0);
      var p = ((java.security.spec.ECFieldFp) Curves.p256().getCurve().getField()).getP();
      var y = new BigInteger(1, Bytes.slice(key.publicKey(), 33, 65));
      byte[] other = Bytes.join(Bytes.slice(key.publicKey(), 0, 33), Bytes.number(p.subtract(y), 32));
      var set = new KeySet(List.of(Jwk.of(Jwk.Kind.P256, other, key.secret(), NOW, true)), null, 0);
      require(isRefused(() -> new KeyFile(List.of(set))), "accepted");
    });
    test("a write that fails leaves the file as it was", folder -> {
      Path file = Files.createDirectory(folder.resolve("keys"));
      Files.createFile(file.resolve("x"));
      try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
        locked.write(new byte[1]);
        throw new IllegalStateException("written over a folder");
      } catch (FileSystemException expected) {
        Files.delete(file.resolve("x"));
      }
      require(names(folder).equals(Set.of("keys", "keys.lock")), "left are " + names(folder));
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("keys.lock")));
      require(mode.equals("rw-------"), "others may hold the lock: " + mode);
    });
    test("a part that a crash left behind goes with the next write", folder -> {
      Files.write(folder.resolve("keys.part"), Bytes.utf8("a secret, and more of it than is written next".repeat(99)));
      KeyFile.rotate(folder.resolve("keys"), Jwk.Kind.X25519, NOW);
      require(KeyFile.read(folder.resolve("keys")).keys().size() == 1, "the part is in the file");
      require(!names(folder).contains("keys.part"), "the part is there");
    });
    test("only a device's key pairs are rotated", folder -> {
      Path file = folder.resolve("keys");
      for (var kind : List.of(Jwk.Kind.ED25519, Jwk.Kind.XWING, Jwk.Kind.SHARED)) {
        try {
          KeyFile.rotate(file, kind, NOW);
          throw new IllegalStateException("made a key of " + kind);
        } catch (IllegalArgumentException expected) {
          require(!Files.exists(file), "written for " + kind);
        }
      }
      byte[] shared = Bytes.utf8(Json.write(file("shared.json").object("keys")));
      Files.write(file, shared);
      require(isRefused(() -> { KeyFile.rotate(file, Jwk.Kind.X25519, NOW); return null; }), "shared keys");
      require(Arrays.equals(Files.readAllBytes(file), shared), "the shared keys are gone");
    });
    test("of rotations at the same time none loses a key", folder -> {
      Path file = folder.resolve("keys");
      atOnce(8, () -> { KeyFile.rotate(file, Jwk.Kind.X25519, NOW); return null; });
      require(KeyFile.read(file).keys().size() == 8, KeyFile.read(file).keys().size() + " keys");
    });
    test("of identities that are made at the same time one remains", folder -> {
      Path file = folder.resolve("identity");
      var made = new ArrayList<Identity>();
      for (Object identity : atOnce(8, () -> {
        try {
          return IdentityFile.create(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM, NOW);
        } catch (FileAlreadyExistsException another) {
          return null;
        }
      })) if (identity != null) made.add((Identity) identity);
      require(made.size() == 1, made.size() + " were made");
      var read = new IdentityFile(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM);
      require(Arrays.equals(read.publicKey(), made.get(0).publicKey()), "another one remains");
      var serials = new HashSet<>(atOnce(8, () -> read.nextSerial(NOW)));
      require(serials.size() == 8, "a serial twice");
    });
    test("an identity that another one replaced issues no serial, and does not come back", folder -> {
      Path file = folder.resolve("identity");
      var old = IdentityFile.create(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM, NOW);
      Files.delete(file);
      IdentityFile.create(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM, NOW);
      byte[] replaced = Files.readAllBytes(file);
      require(isRefused(() -> old.nextSerial(NOW)), "a serial");
      require(Arrays.equals(Files.readAllBytes(file), replaced), "written");
    });
    test("a public set has no shared key, also without its secret", folder -> {
      String set = "{\"keys\":[{\"kty\":\"oct\",\"alg\":\"shared-chachapoly\"}]}";
      require(KeySet.read(Json.objectOrNull(Bytes.utf8(set)), false) == null, "accepted");
    });
    test("an identity is not made twice, and its file may be wrapped", folder -> {
      Path file = folder.resolve("identity");
      var wrapping = new IdentityFile.Wrapping() {
        @Override public byte[] wrap(byte[] bytes) { return Bytes.reversed(bytes); }

        @Override public byte[] unwrap(byte[] bytes) { return Bytes.reversed(bytes); }
      };
      var identity = IdentityFile.create(file, wrapping, Ed25519.PLATFORM, NOW);
      long first = identity.nextSerial(NOW);
      long second = new IdentityFile(file, wrapping, Ed25519.PLATFORM).nextSerial(NOW);
      require(first == NOW && second == NOW + 1, "serials " + first + " " + second);
      require(Json.objectOrNull(Files.readAllBytes(file)) == null, "not wrapped");
      require(isRefused(() -> new IdentityFile(file, IdentityFile.Wrapping.NONE, Ed25519.PLATFORM)), "unwrapped");
      try {
        IdentityFile.create(file, wrapping, Ed25519.PLATFORM, NOW);
        throw new IllegalStateException("made twice");
      } catch (FileAlreadyExistsException expected) {
        require(new IdentityFile(file, wrapping, Ed25519.PLATFORM).nextSerial(NOW) == NOW + 2, "lost");
      }
    });
  }

  private static Set<String> names(Path folder) throws Exception {
    try (var list = Files.list(folder)) {
      return list.map(file -> file.getFileName().toString()).collect(java.util.stream.Collectors.toSet());
    }
  }

  /** What so many threads get that do the same. */
  private static <T> List<T> atOnce(int count, Callable<T> work) throws Exception {
    var pool = Executors.newFixedThreadPool(count);
    try {
      var results = new ArrayList<T>();
      for (var result : pool.invokeAll(Collections.nCopies(count, work))) results.add(result.get());
      return results;
    } finally {
      pool.shutdown();
    }
  }

  private static boolean isRefused(Callable<?> work) throws Exception {
    try {
      work.call();
      return false;
    } catch (Refused refused) {
      return true;
    }
  }

  private void memory() throws Exception {
    test("the memory drops what was recorded first, and keeps its floor", folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), 2);
      for (int name = 1; name <= 3; name += 1) {
        var freshness = memory.check(entry("a", name, "d", NOW + name, NOW + 100), NOW, ENOUGH);
        require(freshness == FIRST, "not first");
      }
      var dropped = memory.check(entry("a", 1, "d", NOW + 1, NOW + 100), NOW, ENOUGH);
      require(dropped == NOT_CHECKED, "below the floor: " + dropped);
      var other = memory.check(entry("b", 4, "d", NOW, NOW + 100), NOW, ENOUGH);
      require(other == FIRST, "another origin's floor");
      var newer = memory.check(entry("a", 5, "d", NOW + 4, NOW + 100), NOW, ENOUGH);
      require(newer == FIRST, "above the floor");
    });
    test("what has expired is dropped first, without a floor", folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), 2);
      memory.check(entry("a", 1, "d", NOW, NOW + 100), NOW, ENOUGH);
      memory.check(entry("a", 2, "d", NOW, NOW), NOW, ENOUGH);
      memory.check(entry("a", 3, "d", NOW, NOW + 100), NOW + 1, ENOUGH);
      var kept = memory.check(entry("a", 1, "d", NOW, NOW + 100), NOW + 1, ENOUGH);
      require(kept == DUPLICATE, "dropped the wrong one");
      require(memory.check(entry("a", 4, "d", NOW - 1, NOW + 100), NOW + 101, ENOUGH) == FIRST,
          "a floor of what expired");
    });
    test("a floor is dropped when all below it has expired", folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), 1);
      memory.check(entry("a", 1, "d", NOW, NOW + 9_000_000), NOW, ENOUGH);
      memory.check(entry("a", 2, "d", NOW + 1, NOW + 9_000_000), NOW, ENOUGH);
      long last = NOW + 2_592_300;
      require(memory.check(entry("a", 3, "d", NOW, last), last, ENOUGH) == NOT_CHECKED, "too soon");
      require(memory.check(entry("a", 3, "d", NOW, last + 1), last + 1, ENOUGH) == FIRST, "kept");
    });
    test("a message that was sealed again is remembered longer", folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), 5);
      memory.check(entry("a", 1, "d", NOW, NOW + 10), NOW, ENOUGH);
      memory.check(entry("a", 1, "d", NOW, NOW + 20), NOW, ENOUGH);
      require(memory.check(entry("a", 1, "d", NOW, NOW + 5), NOW + 20, ENOUGH) == DUPLICATE, "forgotten");
      require(isRefused(() -> memory.check(entry("a", 1, "e", NOW, NOW + 20), NOW + 20, ENOUGH)), "another content");
    });
    test("a damaged memory calls nothing first that may have been opened before", folder -> {
      Path file = folder.resolve("memory");
      String whole = "a name2 d " + (NOW + 200) + " " + (NOW + 900) + "\n";
      for (String damage : List.of("", "\n", "\u00ff\n", "a b c\n", "a b 5\n", "a b c d 5\n", "a b c 5 5 5\n", "a 5",
          "a 5 \n", "a -5\n", "a 99999999999999999999\n", whole + "a", whole + "\n" + whole,
          whole.substring(0, whole.length() - 2))) {
        Files.write(file, damage.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        var memory = new FileReplayMemory(file, 5);
        require(memory.check(entry("a", 1, "d", NOW + 300, NOW + 600), NOW, ENOUGH) == NOT_CHECKED, "first");
        require(memory.check(entry("a", 3, "d", NOW + 301, NOW + 900), NOW + 1, ENOUGH) == FIRST, "later");
      }
    });
    test("a memory that cannot be written, or is locked, does not keep a message back", folder -> {
      var nowhere = new FileReplayMemory(folder.resolve("missing/memory"), 5);
      require(nowhere.check(entry("a", 1, "d", NOW, NOW), NOW, ENOUGH) == NOT_CHECKED, "written");
    });
    test("of many threads one is the first", folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), 5);
      var all = atOnce(16, () -> memory.check(entry("a", 1, "d", NOW, NOW + 9), NOW, ENOUGH));
      require(Collections.frequency(all, FIRST) == 1, all.toString());
    });
    test("while another process has the memory, nothing is first", folder -> {
      Path file = folder.resolve("memory");
      var holder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
          System.getProperty("java.class.path"), "sealedpush.CheckDevice", vectors.toString(), file.toString()).start();
      try {
        require(holder.getInputStream().read() == '!', "the other process has no lock");
        var memory = new FileReplayMemory(file, 5);
        var meanwhile = memory.check(entry("a", 1, "d", NOW, NOW + 9), NOW, Deadline.in(Duration.ofMillis(40)));
        require(meanwhile == NOT_CHECKED, meanwhile + " meanwhile");
        holder.getOutputStream().close();
        require(holder.waitFor() == 0, "the other process failed");
        require(memory.check(entry("a", 1, "d", NOW, NOW + 9), NOW, ENOUGH) == FIRST, "not first afterwards");
      } finally {
        holder.destroy();
      }
    });
  }

  private void messages() throws Exception {
    test("FCM brings a notification", folder -> {
      Json.Obj vector = vector("opened.json", "vectors", "x25519-chachapoly-signed-buckets");
      var delivery = (Delivery.Shown) opener(folder).fcm(fcm(vector), NOW, ENOUGH);
      require(delivery.message().text().equals(vector.get("content")), "another content");
    });
    test("FCM brings data, which nobody sees, also if it has a fault", folder -> {
      Json.Obj vector = vector("data.json", "vectors", "background-x25519-chachapoly");
      require(opener(folder).fcm(fcm(vector), NOW, ENOUGH) instanceof Delivery.Data, "no data");
      var refused = (Delivery.Degraded) opener(folder).fcm(fcm(vector("signed.json", "requests", "request-v-2")),
          NOW, ENOUGH);
      require(refused.rule().equals("11.19") && refused.notification() == null, "shown");
    });
    test("FCM brings a request for a proof, and no call", folder -> {
      Json.Obj vector = vector("signed.json", "requests", "request-x25519-chachapoly");
      var delivery = (Delivery.Request) opener(folder).fcm(fcm(vector), NOW, ENOUGH);
      require(delivery.request().text().equals(vector.get("content")), "another content");
      var call = (Delivery.Degraded) opener(folder).fcm(fcm(vector("data.json", "vectors",
          "voip-x25519-chachapoly")), NOW, ENOUGH);
      require(call.rule().equals("5.3") && call.notification().body().equals("(Encrypted)"), "a call");
    });
    test("a notification without a text is no data either", folder -> {
      Json.Obj wanted = null;
      for (Object element : (List<?>) file("degraded.json").get("vectors")) {
        var vector = (Json.Obj) element;
        if (wanted == null && "6.4".equals(vector.get("rule"))) wanted = vector;
      }
      Json.Obj payload = Question.object(wanted.string("payload"));
      try {
        opener(folder).data(payload, PushType.ALERT, NOW, ENOUGH);
        throw new IllegalStateException("it opened");
      } catch (Refused refused) {
        require(refused.rule().equals("6.4"), refused.getMessage());
      }
    });
    test("a key store that fails while it agrees is locked, and no forgery", folder -> {
      Json.Obj vector = vector("opened.json", "vectors", "x25519-chachapoly-signed-buckets");
      var whole = new KeyFile(List.of(KeySet.read(file("keys.json").object("device"), true))).keys();
      var broken = new ArrayList<DeviceKeys.Key>();
      for (DeviceKeys.Key key : whole) {
        broken.add(new DeviceKeys.Pair() {
          @Override public Jwk jwk() { return key.jwk(); }

          @Override public byte[] agree(java.security.PublicKey peer) throws Refused {
            throw Refused.keyLocked();
          }
        });
      }
      var opener = new Opener("com.example.app", () -> broken, () -> List.of(), null);
      var degraded = (Delivery.Degraded) opener.fcm(fcm(vector), NOW, ENOUGH);
      require(degraded.reason() == Reason.KEY_LOCKED, degraded.reason().code());
    });
    test("an app's own texts stand in the placeholder", folder -> {
      var opener = opener(folder).placeholder(reason -> "open the app: " + reason.code()).fixedTitle("Lunch");
      var degraded = (Delivery.Degraded) opener.fcm(Map.of(), NOW, ENOUGH);
      require(degraded.notification().title().equals("Lunch"), "title");
      require(degraded.notification().body().equals("open the app: no-envelope"), "body");
      var late = (Delivery.Degraded) opener.fcm(Map.of(), NOW, new Deadline(System.nanoTime() - 1));
      require(late.notification().subtitle().equals("open the app: deadline"), "subtitle");
    });
    test("the id that section 9 derives, by the document's example", folder -> {
      var given = UUID.fromString("2c75dea1-70b5-4c96-b740-1f3362cce2e9");
      var onDevice = UUID.fromString("82a3c1b8-95f8-82cd-ae4b-0478b67e7823");
      byte[] key = Bytes.fromBase64url("4JHXDbQKchI4NhsqNNUhH-dBS_B8ATse1_qrwM_VZr0");
      require(Added.derived(given, key).equals(onDevice), "another id");
      var keys = new KeyFile(List.of(KeySet.read(file("keys.json").object("device"), true)));
      require(Added.isOnDevice(given, onDevice, keys) && Added.isOnDevice(onDevice, onDevice, keys)
          && !Added.isOnDevice(onDevice, given, keys), "not on the device");
    });
    test("what callers add, and what breaks a rule there", folder -> {
      String id = "2c75dea1-70b5-4c96-b740-1f3362cce2e9";
      var good = added("{\"v\":1,\"replaces\":\"" + id + "\",\"removes\":[\"" + id + "\"],\"bytes\":\"AQ\"}", true);
      require(good.replaces().toString().equals(id) && good.removes().size() == 1 && good.bytes()[0] == 1, "good");
      var anonymous = added("{\"v\":1,\"replaces\":\"" + id + "\",\"removes\":[\"" + id + "\"],\"bytes\":\"AQ\"}",
          false);
      require(anonymous.replaces() == null && anonymous.removes().isEmpty() && anonymous.bytes() != null,
          "anonymous");
      require(added("{\"v\":1.0,\"replaces\":\"" + id + "\"}", true).replaces() == null, "v");
      require(added("{\"v\":1,\"replaces\":\"" + id.toUpperCase(Locale.ROOT) + "\"}", true).replaces() == null,
          "upper case");
      require(added("{\"v\":1,\"removes\":[1,\"" + id + "\"]}", true).removes().size() == 1, "beside a number");
      var many = String.join(",", Collections.nCopies(33, "\"" + id + "\""));
      require(added("{\"v\":1,\"removes\":[" + many + "]}", true).removes().size() == 32, "33");
      require(added("{\"v\":1,\"bytes\":\"AQ==\"}", true).bytes() == null, "padding");
    });
  }

  private static Added added(String added, boolean signed) throws Exception {
    String content = "{\"aps\":{\"alert\":\"x\"},\"sealed-push\":" + added + "}";
    return Added.read(Content.read(new Plaintext(1, null, 0, 0, null, null, null, Bytes.utf8(content)), null), signed);
  }

  private void enrolments() throws Exception {
    test("an enrolment for FCM, and the answer to a request", folder -> {
      Path file = folder.resolve("keys");
      KeyFile.rotate(file, Jwk.Kind.P256, NOW);
      KeyFile.rotate(file, Jwk.Kind.P256, NOW);
      var identity = IdentityFile.create(folder.resolve("identity"), IdentityFile.Wrapping.NONE, Ed25519.PLATFORM,
          NOW);
      var enroller = new Enroller(identity, KeyFile.read(file), "com.example_app", "https://push.example.com",
          "a:_-9");
      var object = Question.object(enroller.enrolment(NOW, "challenge", "dGhlIGFza2VkIHByb29mLg"));
      require(object.members().keySet().equals(Set.of("v", "service", "topic", "token", "keys")), "members");
      Json.Obj claims = claims(object.string("keys"), "sealed-push-keys+jws", identity);
      require(claims.get("service").equals("fcm") && !claims.has("environment"), "service");
      for (String same : List.of("service", "topic", "token")) require(claims.get(same).equals(object.get(same)),
          same);
      require(claims.get("challenge").equals("challenge") && claims.get("proof").equals("dGhlIGFza2VkIHByb29mLg"),
          "texts");
      KeySet set = KeySet.read(claims.object("keys"), false);
      require(set.keys().size() == 1 && set.hasActive(), "keys");
      var leave = Question.object(enroller.leave(NOW));
      Json.Obj left = claims(leave.string("leave"), "sealed-push-leave+jws", identity);
      require(left.members().keySet().equals(Set.of("v", "topic", "serial", "iat", "audience")), "leave");
      require(left.seconds("serial") == claims.seconds("serial") + 1, "serial");
      var request = new ProofRequest("https://push.example.com", identity.thumbprint(), "x",
          set.keys().get(0).thumbprint(), false, "");
      request.check(enroller);
    });
    test("an enroller refuses what no backend takes", folder -> {
      for (String token : List.of("", "a b", "x".repeat(1025))) {
        try {
          new Enroller(null, null, "com.example.app", "https://push.example.com", token);
          throw new IllegalStateException("a token: " + token);
        } catch (IllegalArgumentException expected) {
          continue;
        }
      }
    });
    test("an enroller for FCM refuses a bundle id, and a token that is not there", folder -> {
      for (var each : List.of(List.of("com.example-x.app", "token"), List.of("com.example.voip", "token"))) {
        require(!isGood(each.get(0), each.get(1)), "a topic: " + each);
      }
      require(!isGood("com.example.app", null), "no token");
      require(isGood("com.example_x.app", "token"), "refused");
    });
    test("a newer set of senders is kept, an older one is not, and one of another root counts as none", folder -> {
      KeySet roots = KeySet.read(file("signed.json").object("roots"), false);
      Json.Obj replacing = null;
      for (Object element : (List<?>) file("signed.json").get("senders")) {
        var vector = (Json.Obj) element;
        boolean isNewer = vector.has("atHand") && vector.get("expect").equals("accepted") && !vector.has("pinned");
        if (replacing == null && isNewer) replacing = vector;
      }
      String older = replacing.string("atHand");
      String newer = replacing.string("text");
      String topic = replacing.string("topic");
      var set = new SendersFile(folder.resolve("senders"), older, roots, topic, Ed25519.PLATFORM);
      require(set.accept(newer) && !set.accept(newer), "not kept");
      require(isRefused(() -> set.accept(older)), "an older one");
      long end = SignedSenders.read(newer, roots, topic, Ed25519.PLATFORM).end();
      require(set.keys().get(0).setEnd() == end, "the keys of the older one");
      var shipped = new SendersFile(folder.resolve("senders"), newer, roots, topic, Ed25519.PLATFORM);
      require(!shipped.accept(newer), "an update of the app ships the same");
      byte[] three = new byte[32];
      three[0] = 3;
      var others = new KeySet(List.of(Jwk.of(Jwk.Kind.ED25519, three, null, NOW, true)), "root", 0);
      var untrusting = new SendersFile(folder.resolve("senders"), older, others, topic, Ed25519.PLATFORM);
      require(untrusting.keys().isEmpty(), "roots");
    });
    test("a topic is a bundle id or an application id, and no mixture", folder -> {
      require(Claims.isTopic("com.example-x.app") && Claims.isTopic("com.example_x.app"), "refused");
      require(!Claims.isTopic("com.example-x.app_y") && !Claims.isTopic("com.app_x.voip"), "accepted");
    });
  }

  private static boolean isGood(String topic, String token) {
    try {
      new Enroller(null, null, topic, "https://push.example.com", token);
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /** Signatures whose equation holds, so that only the checks of rule 5.9 refuse them. */
  private void signatures() throws Exception {
    byte[] pair = Ed25519.PLATFORM.generate();
    byte[] publicKey = Bytes.slice(pair, 32, 64);
    byte[] hashed = java.security.MessageDigest.getInstance("SHA-512").digest(Bytes.slice(pair, 0, 32));
    byte[] clamped = Bytes.slice(hashed, 0, 32);
    clamped[0] &= (byte) 0xf8;
    clamped[31] = (byte) (clamped[31] & 0x3f | 0x40);
    BigInteger scalar = Bytes.littleEndian(clamped);
    var order = BigInteger.ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));
    byte[] message = Bytes.utf8("message");
    byte[] identity = new byte[32];
    identity[0] = 1;
    test("R of small order is refused, although the platform takes it", folder -> {
      byte[] digest = java.security.MessageDigest.getInstance("SHA-512")
          .digest(Bytes.join(identity, publicKey, message));
      BigInteger s = Bytes.littleEndian(digest).multiply(scalar).mod(order);
      byte[] signature = Bytes.join(identity, Bytes.reversed(Bytes.number(s, 32)));
      require(Ed25519.PLATFORM.verify(publicKey, message, signature), "the equation does not hold");
      require(!Ed25519.isValid(Ed25519.PLATFORM, publicKey, message, signature), "valid");
    });
    test("a public key of small order is refused, although the platform takes it", folder -> {
      byte[] signature = Bytes.join(publicKey, Bytes.reversed(Bytes.number(scalar.mod(order), 32)));
      require(Ed25519.PLATFORM.verify(identity, message, signature), "the equation does not hold");
      require(!Ed25519.isValid(Ed25519.PLATFORM, identity, message, signature), "valid");
    });
    test("S + L is refused, whatever the library takes", folder -> {
      byte[] signature = Ed25519.PLATFORM.sign(Bytes.slice(pair, 0, 32), message);
      BigInteger s = Bytes.littleEndian(Bytes.slice(signature, 32, 64)).add(order);
      byte[] other = Bytes.join(Bytes.slice(signature, 0, 32), Bytes.reversed(Bytes.number(s, 32)));
      var credulous = new Ed25519() {
        @Override public boolean verify(byte[] key, byte[] text, byte[] signed) { return true; }

        @Override public byte[] sign(byte[] seed, byte[] text) { return null; }

        @Override public byte[] generate() { return null; }
      };
      require(Ed25519.isValid(credulous, publicKey, message, signature), "refused");
      require(!Ed25519.isValid(credulous, publicKey, message, other), "valid");
    });
  }

  /** The claims of a JWS, once its signature was verified. */
  private static Json.Obj claims(String jws, String type, Identity identity) throws Exception {
    String[] parts = jws.split("\\.");
    byte[] signed = Bytes.utf8(parts[0] + "." + parts[1]);
    byte[] signature = Bytes.fromBase64url(parts[2]);
    require(Ed25519.isValid(Ed25519.PLATFORM, identity.publicKey(), signed, signature), "signature");
    Json.Obj header = Json.objectOrNull(Bytes.fromBase64url(parts[0]));
    require(header.get("typ").equals(type) && header.get("alg").equals("EdDSA"), "header");
    require(header.object("jwk").get("x").equals(Bytes.base64url(identity.publicKey())), "jwk");
    return Json.objectOrNull(Bytes.fromBase64url(parts[1]));
  }

  /** Another process: has the file until its input ends. */
  private static void hold(Path file) throws Exception {
    try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
      require(!locked.exists(), "the file is there");
      System.out.print('!');
      System.out.flush();
      while (System.in.read() >= 0) continue;
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 1) {
      hold(Path.of(arguments[1]));
      return;
    }
    var check = new CheckDevice(Path.of(arguments[0]));
    check.run();
    if (check.failed > 0) System.exit(1);
  }
}
