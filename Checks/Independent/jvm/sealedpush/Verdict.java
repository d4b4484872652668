package sealedpush;

import java.util.List;
import java.util.Locale;

/**
 * What comes of what is no message to show: a result, in the word of the vectors, unless a rule is broken. {@code asked}
 * is a vector, or a question of the tool.
 */
final class Verdict {
  private static final long ENOUGH = 100;

  private Verdict() {}

  /** The roots of a device at which a set arrives. */
  static KeySet roots(Json.Obj asked, Json.Obj file) {
    return KeySet.read(asked.has("pinned") ? asked.object("pinned") : file.object("roots"), false);
  }

  static String senders(Json.Obj asked, KeySet roots) throws Refused {
    String topic = asked.string("topic");
    SignedSenders atHand = null;
    try {
      if (asked.has("atHand")) atHand = SignedSenders.read(asked.string("atHand"), roots, topic, Ed25519.PLATFORM);
    } catch (Refused countsAsNone) {
      atHand = null;
    }
    var arrived = SignedSenders.read(asked.string("text"), roots, topic, Ed25519.PLATFORM);
    return arrived.replaces(atHand) ? "accepted" : "unchanged";
  }

  /** Of a message to a device that trusts the senders of a signed set. */
  static String messageUnderSet(Json.Obj asked, KeySet roots, DeviceKeys keys) throws Exception {
    var set = SignedSenders.read(asked.string("text"), roots, asked.string("topic"), Ed25519.PLATFORM);
    Delivery delivery = Question.of(asked, keys, set.senders()).notification();
    if (delivery instanceof Delivery.Degraded none) throw new Refused(none.rule(), none.reason());
    return "opened";
  }

  /** A request that the device answers. */
  static ProofRequest request(Json.Obj asked, Question question, Opener opener) throws Refused {
    ProofRequest request = opener.request(Question.object(question.payload()), question.now(), question.deadline());
    byte[] thumbprint = Bytes.fromBase64url(asked.string("identity"));
    var identity = new Identity() {
      @Override public byte[] publicKey() { throw new UnsupportedOperationException(); }

      @Override public byte[] sign(byte[] message) { throw new UnsupportedOperationException(); }

      @Override public long nextSerial(long now) { throw new UnsupportedOperationException(); }

      @Override public byte[] thumbprint() { return thumbprint; }
    };
    request.check(new Enroller(identity, question.deviceKeys(), question.topic(), asked.string("audience"), "00"));
    return request;
  }

  /** What the memory says of a push after those that were delivered before. */
  static String memory(Json.Obj asked, Question question) throws Exception {
    long capacity = asked.has("capacity") ? asked.seconds("capacity") : ENOUGH;
    return Question.inFolder(folder -> {
      Opener opener = question.opener(new FileReplayMemory(folder.resolve("memory"), (int) capacity));
      for (Object before : (List<?>) asked.get("before")) {
        try {
          marked(opener, (Json.Obj) before, question.deadline());
        } catch (Refused expected) {
          continue;
        }
      }
      return marked(opener, asked, question.deadline());
    });
  }

  private static String marked(Opener opener, Json.Obj push, Deadline deadline) throws Refused {
    Json.Obj payload = Question.object(push.string("payload"));
    if (push.has("pushType")) {
      var type = Question.named(PushType.values(), push.string("pushType"));
      Opened data = opener.data(payload, type, push.seconds("now"), deadline);
      return type == PushType.LIVE_ACTIVITY ? "opened" : word(data.freshness());
    }
    Delivery delivery = opener.notification(payload, push.seconds("now"), deadline);
    if (delivery instanceof Delivery.Degraded none) throw new Refused(none.rule(), none.reason());
    return word(((Delivery.Shown) delivery).message().freshness());
  }

  private static String word(ReplayMemory.Freshness freshness) {
    return freshness.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A set that nobody signed, or null if it is refused. */
  static KeySet set(Json.Obj asked) {
    String text = asked.string("set");
    if (asked.has("fill")) text = filled(text, asked.seconds("fill"));
    KeySet set = KeySet.read(Json.objectOrNull(Bytes.utf8(text)), asked.has("private"));
    return set == null || set.role() != null ? null : set;
  }

  /** Whether it takes ML-KEM to say that a set is good: only ML-KEM knows whether a seed belongs to its public key. */
  static boolean takesMLKEM(Json.Obj asked, KeySet set) {
    return asked.has("private") && set.keys().stream().anyMatch(key -> key.kind() == Jwk.Kind.XWING);
  }

  /** A set with so many more keys. */
  private static String filled(String set, long count) {
    var keys = new StringBuilder(set.substring(0, set.lastIndexOf(']')));
    for (long number = 0; number < count; number += 1) {
      byte[] x = Bytes.sha256(Bytes.number(number, 4));
      x[31] &= 0x7f;
      keys.append(",{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"").append(Bytes.base64url(x))
          .append("\",\"status\":\"accepted\"}");
    }
    return keys + set.substring(set.lastIndexOf(']'));
  }
}
