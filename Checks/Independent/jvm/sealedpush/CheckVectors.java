package sealedpush;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Runs every vector that concerns a phone, counts them, and fails on what it does not know. */
public final class CheckVectors {
  private static final String NO_ATTACHMENTS = "section 10 is a WorkManager's, see Documentation/Android.md";
  private static final String NO_FORMATS = "section 12: an app that has other systems' envelopes opens those";
  private static final String BACKENDS = "a backend's rules";
  private static final Set<String> ABOUT_MESSAGES = Set.of("id", "rule", "comment", "topic", "now", "accepts",
      "after",
      "locked", "lacks", "deadline", "accounts", "payload", "expect", "shown", "suite", "sender", "padding", "limit",
      "ikmE", "eseed", "dh", "salt", "messageID", "issuedAt", "lifetime", "content", "duplicate", "pushType", "heeds");

  /** One list of vectors; {@code reason} says why it is not run. */
  private record Lane(Check check, String reason) {
    static Lane run(Check check) { return new Lane(check, null); }

    static Lane skip(String reason) { return new Lane(null, reason); }
  }

  /** What is wrong: null if nothing is; or {@code ABSENT} or {@code BACKENDS_RULE}. */
  private interface Check {
    String fault(Json.Obj vector, Json.Obj file) throws Exception;
  }

  private static final String ABSENT = "of a suite that is absent";
  private static final String BACKENDS_RULE = "a backend's to refuse";

  private final Path folder;
  private final Json.Obj keys;
  private final Json.Obj signed;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<List<Json.Obj>, DeviceKeys> openingKeys = new HashMap<>();
  private int passed = 0;
  private int absent = 0;
  private int passedOver = 0;
  private int failed = 0;

  private CheckVectors(Path folder) throws Exception {
    this.folder = folder;
    keys = read("keys.json");
    signed = read("signed.json");
    for (String name : List.of("accounts", "edges", "shared", "xwing")) {
      lanes.put(name + ".opened", Lane.run(this::opened));
      lanes.put(name + ".degraded", Lane.run(this::degraded));
      if (!name.equals("edges")) lanes.put(name + ".data", Lane.run(this::data));
    }
    lanes.put("opened.vectors", Lane.run(this::opened));
    lanes.put("degraded.vectors", Lane.run(this::degraded));
    lanes.put("data.vectors", Lane.run(this::data));
    lanes.put("push-types.vectors", Lane.run(this::data));
    lanes.put("callers.vectors", Lane.run(this::opened));
    lanes.put("memory.vectors", Lane.run(this::memory));
    lanes.put("sets.sets", Lane.run(this::set));
    lanes.put("accounts.tags", Lane.run(this::tag));
    lanes.put("shared.thumbprints", Lane.run(this::thumbprint));
    lanes.put("xwing.sets", Lane.run(this::set));
    lanes.put("signed.senders", Lane.run(this::senders));
    lanes.put("signed.messages", Lane.run(this::messageUnderSet));
    lanes.put("signed.requests", Lane.run(this::request));
    for (String list : List.of("enrolments", "leaves", "receipts", "tokens")) {
      lanes.put("signed." + list, Lane.run(this::signature));
    }
    lanes.put("xwing.enrolments", Lane.run(this::signature));
    lanes.put("signed.registrations", Lane.skip(BACKENDS));
    lanes.put("xwing.registrations", Lane.skip(BACKENDS));
    for (String list : List.of("members", "descriptors", "addresses", "blobs")) {
      lanes.put("attachments." + list, Lane.skip(NO_ATTACHMENTS));
    }
    lanes.put("formats.vectors", Lane.skip(NO_FORMATS));
  }

  private Json.Obj read(String file) throws Exception {
    return (Json.Obj) Json.parse(Files.readAllBytes(folder.resolve(file)), 100);
  }

  private void run() throws Exception {
    var files = new TreeSet<String>();
    try (var list = Files.list(folder)) {
      list.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".json")).forEach(files::add);
    }
    files.remove("schema.json");
    var seen = new TreeSet<String>();
    for (String name : files) {
      Json.Obj file = read(name);
      if (!"sealed-push v1".equals(file.get("format"))) fail(name, "is of another format");
      for (var member : file.members().entrySet()) {
        if (!(member.getValue() instanceof List<?> vectors)) continue;
        String list = name.replace(".json", "." + member.getKey());
        seen.add(list);
        runList(list, vectors, file);
      }
    }
    var missing = new TreeSet<>(lanes.keySet());
    missing.removeAll(seen);
    for (String list : missing) fail(list, "is missing");
    checkKeys();
    System.out.printf("%d passed, %d %s, %d %s, %d failed%n", passed, absent, ABSENT, passedOver, BACKENDS_RULE,
        failed);
  }

  private void runList(String list, List<?> vectors, Json.Obj file) {
    Lane lane = lanes.get(list);
    if (lane == null) {
      fail(list, "is a list that nobody knows");
      return;
    }
    if (lane.check() == null) {
      System.out.printf("%-24s %4d not run: %s%n", list, vectors.size(), lane.reason());
      return;
    }
    int before = passed;
    int absentBefore = absent;
    int overBefore = passedOver;
    for (Object element : vectors) {
      var vector = (Json.Obj) element;
      String id = list + " " + vector.string("id");
      try {
        String fault = lane.check().fault(vector, file);
        if (fault == null) passed += 1;
        else if (fault.equals(ABSENT)) absent += 1;
        else if (fault.equals(BACKENDS_RULE)) passedOver += 1;
        else fail(id, fault);
      } catch (Exception exception) {
        fail(id, exception.toString());
      }
    }
    String note = absent == absentBefore ? "" : ", " + (absent - absentBefore) + " " + ABSENT;
    if (passedOver > overBefore) note += ", " + (passedOver - overBefore) + " " + BACKENDS_RULE;
    System.out.printf("%-24s %4d of %d%s%n", list, passed - before, vectors.size(), note);
  }

  private void fail(String what, String why) {
    failed += 1;
    System.out.println("FAILED " + what + ": " + why);
  }

  private static String unless(boolean holds, String fault) { return holds ? null : fault; }

  /** Each key has the thumbprint that is its `kid`, and its public half is that of its private one. */
  private void checkKeys() throws Exception {
    for (String name : List.of("device", "sender")) {
      KeySet set = KeySet.read(keys.object(name), true);
      if (set == null || (name.equals("device")
          && new KeyFile(List.of(set)).keys().isEmpty())) fail("keys." + name, "refused");
      else passed += 1;
    }
  }

  private Question question(Json.Obj vector, Json.Obj file) throws Refused {
    Json.Obj own = file.has("keys") ? file.object("keys") : null;
    boolean shared = own != null && file.has("thumbprints");
    boolean isSigned = file.has("roots");
    Json.Obj device = own == null || isSigned || shared ? keys.object("device")
        : own.has("device") ? own.object("device") : own;
    Json.Obj sender = own != null && own.has("sender") ? own.object("sender") : keys.object("sender");
    var sets = shared ? List.of(device, own) : List.of(device);
    DeviceKeys opening = openingKeys.get(sets);
    if (opening == null) {
      var read = new ArrayList<KeySet>();
      for (Json.Obj set : sets) read.add(KeySet.read(set, true));
      opening = new KeyFile(read);
      openingKeys.put(sets, opening);
    }
    return Question.of(vector, opening, Senders.of(KeySet.read(sender, true)));
  }

  private static boolean isAbsent(Json.Obj vector) {
    if (vector.has("lacks")) return false;
    Object member = Question.object(vector.string("payload")).get("ENCRYPTED_DATA");
    byte[] bytes = member instanceof String text ? Bytes.fromBase64url(text) : null;
    return bytes != null && bytes.length > 1136 && bytes[0] == 1 && bytes[1] == 3;
  }

  private static String members(Json.Obj vector) {
    return unless(ABOUT_MESSAGES.containsAll(vector.members().keySet()), "it has a member that nobody knows");
  }

  private String opened(Json.Obj vector, Json.Obj file) throws Exception {
    if (members(vector) != null) return members(vector);
    Delivery delivery = question(vector, file).notification();
    if (isAbsent(vector)) return unsupported(delivery);
    if (!(delivery instanceof Delivery.Shown shown)) return delivery.toString();
    String fault = claims(vector, shown.message());
    if (fault != null) return fault;
    boolean duplicate = shown.message().freshness() == ReplayMemory.Freshness.DUPLICATE;
    if (duplicate != vector.has("duplicate")) return "it is " + shown.message().freshness();
    boolean heeds = !vector.has("heeds") || Shown.equal(vector.get("heeds"), Shown.of(shown.message().added()));
    if (!heeds) return "it heeds " + shown.message().added();
    boolean equal = Shown.equal(vector.get("shown"), Shown.of(shown.notification()));
    return unless(equal, "it shows " + shown.notification());
  }

  /** What the memory says of a payload after those that were delivered before. */
  private String memory(Json.Obj vector, Json.Obj file) throws Exception {
    int capacity = vector.has("capacity") ? vector.seconds("capacity").intValue() : 100;
    Question question = question(vector, file);
    return Question.inFolder(folder -> {
      var memory = new FileReplayMemory(folder.resolve("memory"), capacity);
      var opener = new Opener(question.topic(), question.deviceKeys(), question.senders(), memory)
          .suites(question.suites()).acceptingAnonymous(true);
      for (Object before : (List<?>) vector.get("before")) freshness(opener, (Json.Obj) before);
      String expected = vector.string("expect").equals("opened") ? "not-checked" : vector.string("expect");
      String actual = freshness(opener, vector);
      return unless(actual.equals(expected), actual);
    });
  }

  /** What the memory said, or why the message was refused. */
  private static String freshness(Opener opener, Json.Obj delivered) {
    Json.Obj payload = Question.object(delivered.string("payload"));
    var type = delivered.has("pushType") ? Question.named(PushType.values(), delivered.string("pushType"))
        : PushType.ALERT;
    var deadline = Deadline.in(Duration.ofMinutes(10));
    try {
      if (type != PushType.ALERT) {
        return word(opener.data(payload, type, delivered.seconds("now"), deadline).freshness());
      }
      Delivery delivery = opener.notification(payload, delivered.seconds("now"), deadline);
      if (delivery instanceof Delivery.Shown shown) return word(shown.message().freshness());
      return ((Delivery.Degraded) delivery).reason().code();
    } catch (Refused refused) {
      return refused.reason().code();
    }
  }

  private static String word(ReplayMemory.Freshness freshness) {
    return freshness.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String claims(Json.Obj vector, Opened message) {
    Object sender = message.sender() == null ? null : Bytes.base64url(message.sender());
    boolean equal = message.text().equals(vector.get("content"))
        && message.messageID().toString().equals(vector.get("messageID"))
        && message.issued() == vector.seconds("issuedAt") && message.lifetime() == vector.seconds("lifetime")
        && (sender == null ? vector.get("sender") == null : sender.equals(vector.get("sender")));
    return unless(equal, "other claims");
  }

  private static String unsupported(Delivery delivery) {
    boolean is = delivery instanceof Delivery.Degraded degraded && degraded.rule().equals("2.7");
    return is ? ABSENT : "not unsupported: " + delivery;
  }

  private String degraded(Json.Obj vector, Json.Obj file) throws Exception {
    if (members(vector) != null) return members(vector);
    Delivery delivery = question(vector, file).notification();
    boolean deadlineFirst = vector.has("deadline");
    if (isAbsent(vector) && !deadlineFirst && !vector.string("rule").matches("1\\..*|2\\.[1-5]")) {
      return unsupported(delivery);
    }
    if (!(delivery instanceof Delivery.Degraded degraded)) return "it opened";
    if (!degraded.reason().code().equals(vector.get("expect"))) return degraded.reason().code();
    if (!degraded.rule().equals(vector.get("rule"))) return "rule " + degraded.rule();
    boolean equal = Shown.equal(vector.get("shown"), Shown.of(degraded.notification()));
    return unless(equal, "it shows " + degraded.notification());
  }

  private String data(Json.Obj vector, Json.Obj file) throws Exception {
    if (members(vector) != null) return members(vector);
    Question question = question(vector, file);
    PushType type = Question.dataType(vector);
    Json.Obj payload = Question.object(question.payload());
    return Question.inFolder(folder -> {
      var opener = question.opener(folder.resolve("memory"));
      if (question.after() != null) {
        opener.data(Question.object(question.after()), type, question.now(), question.deadline());
      }
      try {
        Opened message = opener.data(payload, type, question.now(), question.deadline());
        if (!"opened".equals(vector.get("expect"))) return "it opened";
        if (claims(vector, message) != null) return claims(vector, message);
        var again = opener.data(payload, type, question.now(), question.deadline()).freshness();

            boolean isRemembered = type != PushType.LIVE_ACTIVITY;
            if ((again == ReplayMemory.Freshness.DUPLICATE) != isRemembered) return "the second time it is " + again;
        return otherTypes(question, type);
      } catch (Refused refused) {
        if (isAbsent(vector) && refused.rule().equals("2.7")) return ABSENT;
        boolean is = refused.reason().code().equals(vector.get("expect"))
            && refused.rule().equals(vector.get("rule"));
        return unless(is, refused.getMessage());
      }
    });
  }

  /** A message opens as data of no other type. */
  private static String otherTypes(Question question, PushType type) throws Refused {
    for (PushType other : PushType.values()) {
      if (other.contentType == type.contentType) continue;
      try {
        question.opener(Path.of("/nonexistent/memory"))
            .data(Question.object(question.payload()), other, question.now(), question.deadline());
        return "it opened as " + other;
      } catch (Refused expected) {
        continue;
      }
    }
    return null;
  }

  /** A backend computes the tag, not a phone: this is its formula once more. */
  private String tag(Json.Obj vector, Json.Obj file) {
    byte[] identity = Bytes.fromBase64url(vector.string("identity"));
    byte[] digest = Bytes.sha256(Bytes.utf8("sealed-push v1 account"), new byte[1], identity,
        Bytes.utf8(vector.string("person")));
    return unless(Bytes.base64url(Bytes.slice(digest, 0, 16)).equals(vector.get("tag")), "another tag");
  }

  private String thumbprint(Json.Obj vector, Json.Obj file) throws Exception {
    var jwk = new Json.Obj(Map.of("kty", "oct", "alg", "shared-chachapoly", "k", vector.get("k")));
    Jwk key = Jwk.read(jwk, true);
    return unless(vector.get("kid") == null ? key == null : key.kid().equals(vector.get("kid")),
        "another thumbprint");
  }

  private String set(Json.Obj vector, Json.Obj file) {
    String text = vector.string("set");
    if (vector.has("fill")) text = filled(text, vector.seconds("fill").intValue());
    KeySet set = KeySet.read(Json.objectOrNull(Bytes.utf8(text)), vector.has("private"));
    if (vector.string("id").equals("xwing-set-seed-other")) return set == null ? "refused" : ABSENT;
    if (set == null || set.role() != null) return unless("refused".equals(vector.get("expect")), "refused");
    List<String> kids = set.keys().stream().map(Jwk::kid).toList();
    List<String> listed = vector.has("fill") ? kids.subList(0, kids.size() - vector.seconds("fill").intValue()) : kids;
    return unless(listed.equals(vector.get("kids")), "accepted");
  }

  /** A set with so many more keys, which are accepted ones of X25519. */
  private static String filled(String set, int count) {
    var keys = new StringBuilder(set.substring(0, set.lastIndexOf(']')));
    for (int number = 2; number < count + 2; number += 1) {
      String x = Bytes.base64url(Bytes.reversed(Bytes.number(number, 32)));
      keys.append(",{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"").append(x).append("\",\"status\":\"accepted\"}");
    }
    return keys + set.substring(set.lastIndexOf(']'));
  }

  private String senders(Json.Obj vector, Json.Obj file) throws Exception {
    KeySet roots = KeySet.read(vector.has("pinned") ? vector.object("pinned") : file.object("roots"), false);
    String text = vector.string("text") + " ".repeat(vector.has("spaces") ? vector.seconds("spaces").intValue() : 0);
    String topic = vector.string("topic");
    SignedSenders atHand = null;
    try {
      if (vector.has("atHand")) atHand = SignedSenders.read(vector.string("atHand"), roots, topic, Ed25519.PLATFORM);
    } catch (Refused countsAsNone) {
      atHand = null;
    }
    try {
      var set = SignedSenders.read(text, roots, topic, Ed25519.PLATFORM);
      boolean replaces = set.replaces(atHand);

          String result = replaces ? "accepted" : "unchanged";
      if (!result.equals(vector.get("expect"))) return result;
      boolean equal = set.signer().equals(vector.get("signer")) && set.serial() == vector.seconds("serial")
          && set.issued() == vector.seconds("issuedAt") && set.end() == vector.seconds("expiresAt")
          && set.keys().keys().stream().map(Jwk::kid).toList().equals(vector.get("kids"));
      if (!equal) return "other claims";
      return unless(sign(vector, set.signer()).equals(text), "signed again, it is another text");
    } catch (Refused refused) {
      boolean is = refused.reason().code().equals(vector.get("expect")) && refused.rule().equals(vector.get("rule"));
      return unless(is, refused.getMessage());
    }
  }

  /** The JWS of the vector's header and payload, by the key with this thumbprint. */
  private String sign(Json.Obj vector, String thumbprint) throws Exception {
    for (Object value : signed.object("keys").members().values()) {
      Jwk key = Jwk.read((Json.Obj) value, true);
      if (!key.kid().equals(thumbprint)) continue;
      return Enroller.jws(identity(key), vector.string("header"), vector.string("payload"));
    }
    throw new IllegalStateException("nobody has the key");
  }

  private static Identity identity(Jwk key) {
    return new Identity() {
      @Override public byte[] publicKey() { return key.publicKey(); }

      @Override public byte[] sign(byte[] message) throws java.security.GeneralSecurityException {
        return Ed25519.PLATFORM.sign(key.secret(), message);
      }

      @Override public long nextSerial(long now) { return now; }
    };
  }

  /** What a device signed, signed again: an enrolment or a leave. What a backend refuses is not looked at. */
  private String signature(Json.Obj vector, Json.Obj file) throws Exception {
    if (!vector.has("identity")) return BACKENDS_RULE;
    String name = List.of("leave", "receipt", "tokens").stream().filter(vector::has).findFirst().orElse("keys");
    Json.Obj object = Question.object(vector.string(name.equals("keys") ? "enrolment" : name));
    String text = object.string(name);
    return unless(sign(vector, vector.string("identity")).equals(text), "signed again, it is another text");
  }

  private String messageUnderSet(Json.Obj vector, Json.Obj file) throws Exception {
    KeySet roots = KeySet.read(file.object("roots"), false);
    var set = SignedSenders.read(vector.string("text"), roots, vector.string("topic"), Ed25519.PLATFORM);
    Delivery delivery = Question.of(vector, question(vector, file).deviceKeys(), set.senders()).notification();
    if (delivery instanceof Delivery.Shown) return unless("opened".equals(vector.get("expect")), "it opened");
    var degraded = (Delivery.Degraded) delivery;
    boolean is = degraded.reason().code().equals(vector.get("expect")) && degraded.rule().equals(vector.get("rule"));
    return unless(is, degraded.reason() + " " + degraded.rule());
  }

  private String request(Json.Obj vector, Json.Obj file) throws Exception {
    Question question = question(vector, file);
    byte[] thumbprint = Bytes.fromBase64url(vector.string("identity"));
    Jwk someone = Jwk.read(signed.object("keys").object("identity"), true);
    var identity = new Identity() {
      @Override public byte[] publicKey() { return someone.publicKey(); }

      @Override public byte[] sign(byte[] message) throws java.security.GeneralSecurityException {
        return Ed25519.PLATFORM.sign(someone.secret(), message);
      }

      @Override public long nextSerial(long now) { return now; }

      @Override public byte[] thumbprint() { return thumbprint; }
    };
    var enroller = new Enroller(identity, question.deviceKeys(), question.topic(), vector.string("audience"), "00");
    return Question.inFolder(folder -> {
      try {
        var opener = question.opener(folder.resolve("memory"));
        Json.Obj payload = Question.object(question.payload());
        ProofRequest request = opener.request(payload, question.now(), question.deadline());
        request.check(enroller);
        if (!"answered".equals(vector.get("expect"))) return "answered";
        boolean again = opener.request(payload, question.now(), question.deadline()).isDuplicate();
        boolean equal = !request.isDuplicate() && again && request.text().equals(vector.get("content"))
            && Bytes.base64url(request.key()).equals(vector.get("kid"));
        return unless(equal, "another request");
      } catch (Refused refused) {
        boolean is = refused.reason().code().equals(vector.get("expect"))
            && refused.rule().equals(vector.get("rule"));
        return unless(is, refused.getMessage());
      }
    });
  }

  public static void main(String[] arguments) throws Exception {
    var check = new CheckVectors(Path.of(arguments[0]));
    check.run();
    if (check.failed > 0) System.exit(1);
  }
}
