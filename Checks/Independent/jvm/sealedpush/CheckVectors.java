package sealedpush;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Runs every vector that concerns a phone, counts them, and fails on what it does not know. */
public final class CheckVectors {
  private static final String NO_ATTACHMENTS = "section 10 is a WorkManager's, see Documentation/Guides/Android.md";
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
    for (String name : List.of("accounts", "edges", "fcm", "shared", "xwing")) {
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
    lanes.put("fcm.senders", Lane.run(this::senders));
    lanes.put("signed.messages", Lane.run(this::messageUnderSet));
    lanes.put("signed.requests", Lane.run(this::request));
    for (String list : List.of("enrolments", "leaves", "receipts", "tokens")) {
      lanes.put("signed." + list, Lane.run(this::signature));
    }
    lanes.put("fcm.enrolments", Lane.run(this::signature));
    lanes.put("xwing.enrolments", Lane.run(this::signature));
    for (String name : List.of("fcm", "signed", "xwing")) lanes.put(name + ".registrations", Lane.skip(BACKENDS));
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
    Question question = question(vector, file);
    Delivery delivery = "fcm".equals(vector.get("pushType")) ? question.fcm() : question.notification();
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

  private String memory(Json.Obj vector, Json.Obj file) throws Exception {
    return differs(vector, () -> Verdict.memory(vector, question(vector, file)));
  }

  private interface Ruling {
    String of() throws Exception;
  }

  /** What is wrong with what comes of a vector. */
  private static String differs(Json.Obj vector, Ruling ruling) throws Exception {
    try {
      String result = ruling.of();
      return unless(result.equals(vector.get("expect")), result);
    } catch (Refused refused) {
      boolean is = refused.reason().code().equals(vector.get("expect")) && refused.rule().equals(vector.get("rule"));
      return unless(is, refused.getMessage());
    }
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
    PushType type = dataType(vector);
    if (isAbsent(vector)) {
      String fault = differs(vector, () -> { question.data(type); return "opened"; });
      return "unsupported-suite (rule 2.7)".equals(fault) ? ABSENT : fault;
    }
    return differs(vector, () -> Question.inFolder(folder -> {
      var opener = question.opener(folder);
      if (question.after() != null) {
        opener.data(Question.object(question.after()), type, question.now(), question.deadline());
      }
      Json.Obj payload = Question.object(question.payload());
      Opened message = opener.data(payload, type, question.now(), question.deadline());
      if (claims(vector, message) != null) return claims(vector, message);
      var again = opener.data(payload, type, question.now(), question.deadline()).freshness();
      boolean isRemembered = type != PushType.LIVE_ACTIVITY;
      if ((again == ReplayMemory.Freshness.DUPLICATE) != isRemembered) return "the second time it is " + again;
      String fault = otherTypes(question, type);
      return fault == null ? "opened" : fault;
    }));
  }

  /** The type of data that the app asks for. A vector whose type is a notification's is asked for as data. */
  private static PushType dataType(Json.Obj vector) {
    PushType type = Question.named(PushType.values(), vector.string("pushType"));
    return type == PushType.ALERT ? PushType.BACKGROUND : type == PushType.FCM ? PushType.FCM_DATA : type;
  }

  /** A message opens as data of no other type. */
  private static String otherTypes(Question question, PushType type) throws Refused {
    for (PushType other : PushType.values()) {
      if (other.contentType == type.contentType) continue;
      try {
        question.opener(Path.of("/nonexistent"))
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
    KeySet set = Verdict.set(vector);
    boolean isRefused = "refused".equals(vector.get("expect"));
    if (set == null) return unless(isRefused, "refused");
    if (isRefused && Verdict.takesMLKEM(vector, set)) return ABSENT;
    List<String> kids = set.keys().stream().map(Jwk::kid).toList();
    int filled = vector.has("fill") ? vector.seconds("fill").intValue() : 0;
    return unless(kids.subList(0, kids.size() - filled).equals(vector.get("kids")), "accepted");
  }

  private String senders(Json.Obj vector, Json.Obj file) throws Exception {
    KeySet roots = Verdict.roots(vector, file);
    String text = vector.string("text") + " ".repeat(vector.has("spaces") ? vector.seconds("spaces").intValue() : 0);
    var arrived = new HashMap<>(vector.members());
    arrived.put("text", text);
    String fault = differs(vector, () -> Verdict.senders(new Json.Obj(arrived), roots));
    if (fault != null || vector.has("rule")) return fault;
    var set = SignedSenders.read(text, roots, vector.string("topic"), Ed25519.PLATFORM);
    boolean equal = set.signer().equals(vector.get("signer")) && set.serial() == vector.seconds("serial")
        && set.issued() == vector.seconds("issuedAt") && set.end() == vector.seconds("expiresAt")
        && set.keys().keys().stream().map(Jwk::kid).toList().equals(vector.get("kids"));
    if (!equal) return "other claims";
    return unless(sign(vector, set.signer()).equals(text), "signed again, it is another text");
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
    DeviceKeys device = question(vector, file).deviceKeys();
    return differs(vector, () -> Verdict.messageUnderSet(vector, Verdict.roots(vector, file), device));
  }

  private String request(Json.Obj vector, Json.Obj file) throws Exception {
    Question question = question(vector, file);
    return differs(vector, () -> Question.inFolder(folder -> {
      var opener = question.opener(folder);
      ProofRequest request = Verdict.request(vector, question, opener);
      Json.Obj payload = Question.object(question.payload());
      boolean again = opener.request(payload, question.now(), question.deadline()).isDuplicate();
      boolean equal = !request.isDuplicate() && again && request.text().equals(vector.get("content"))
          && Bytes.base64url(request.key()).equals(vector.get("kid"));
      return equal ? "answered" : "another request";
    }));
  }

  public static void main(String[] arguments) throws Exception {
    var check = new CheckVectors(Path.of(arguments[0]));
    check.run();
    if (check.failed > 0) System.exit(1);
  }
}
