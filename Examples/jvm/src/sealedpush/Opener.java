package sealedpush;

import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.UnaryOperator;

/**
 * Opens messages by sections 1 to 8. Once it is set up, threads may share it. A payload is the outer one, already
 * parsed; {@link Json#parse} applies rule 6.1 to one that is not.
 */
public final class Opener {
  private final String topic;
  private final DeviceKeys keys;
  private final Senders senders;
  private final ReplayMemory memory;
  private Set<Suite> suites = EnumSet.of(Suite.X25519_CHACHAPOLY, Suite.P256_AESGCM, Suite.XWING_AESGCM);
  private boolean acceptsAnonymous = false;
  private Set<String> accounts = null;
  private String envelopeKey = "ENCRYPTED_DATA";
  private Placeholder placeholder = Placeholder.PLAIN;
  private UnaryOperator<String> localize = UnaryOperator.identity();
  private Ed25519 ed25519 = Ed25519.PLATFORM;

  /** An opener that accepts the suites of public keys, and no anonymous messages. */
  public Opener(String topic, DeviceKeys keys, Senders senders, ReplayMemory memory) {
    this.topic = topic;
    this.keys = keys;
    this.senders = senders;
    this.memory = memory;
  }

  public Opener suites(Set<Suite> accepted) { suites = Set.copyOf(accepted); return this; }

  public Opener acceptingAnonymous(boolean accepts) { acceptsAnonymous = accepts; return this; }

  /** The tags of the accounts that are signed in; without a call, or with null, the opener does not know them. */
  public Opener accounts(Set<String> tags) { accounts = tags == null ? null : Set.copyOf(tags); return this; }

  public Opener envelopeKey(String name) { envelopeKey = name; return this; }

  public Opener placeholder(Placeholder texts) { placeholder = texts; return this; }

  /** How a localization key becomes text. */
  public Opener localizing(UnaryOperator<String> function) { localize = function; return this; }

  public Opener ed25519(Ed25519 library) { ed25519 = library; return this; }

  /** Opens a notification of APNs. Whatever happens, there is something to show. */
  public Delivery notification(Json.Obj payload, long now, Deadline deadline) {
    return deliver(payload, Set.of(PushType.ALERT.contentType), now, deadline);
  }

  /** Opens whatever FCM brought: its {@code data} does not say which of its types it is, but the content does. */
  public Delivery fcm(Map<String, String> data, long now, Deadline deadline) {
    var payload = new Json.Obj(new LinkedHashMap<>(data));
    var types = Set.of(PushType.FCM.contentType, PushType.FCM_DATA.contentType, PushType.PROOF_REQUEST);
    return deliver(payload, types, now, deadline);
  }

  /** Opens data of a push type, which nobody sees. */
  public Opened data(Json.Obj payload, PushType type, long now, Deadline deadline) throws Refused {
    var authentic = authenticate(payload, type, Set.of(type.contentType), now);
    return data(authentic, now, type == PushType.LIVE_ACTIVITY ? null : deadline);
  }

  /** Opens a request for a proof, by rule 11.19. */
  public ProofRequest request(Json.Obj payload, long now, Deadline deadline) throws Refused {
    return request(authenticate(payload, PushType.BACKGROUND, Set.of(PushType.PROOF_REQUEST), now), now, deadline);
  }

  private Delivery deliver(Json.Obj payload, Set<Integer> contentTypes, long now, Deadline deadline) {
    boolean isSeen = true;
    try {
      deadline.check();
      var authentic = authenticate(payload, PushType.ALERT, contentTypes, now);
      isSeen = authentic.plaintext.contentType() == PushType.ALERT.contentType;
      if (authentic.plaintext.contentType() == PushType.PROOF_REQUEST) {
        return new Delivery.Request(request(authentic, now, deadline));
      }
      if (!isSeen) return new Delivery.Data(data(authentic, now, deadline));
      var content = content(authentic, true);
      deadline.check();
      Opened message = authentic.opened(content, remember(authentic, now, deadline));
      boolean signed = authentic.sender != null;
      return new Delivery.Shown(message, Notification.opened(content, envelopeKey, signed, localize));
    } catch (Refused refused) {
      boolean late = deadline.left() <= 0;
      Reason reason = late ? Reason.DEADLINE : refused.reason();
      var shown = isSeen ? Notification.degraded(payload, envelopeKey, reason, placeholder) : null;
      return new Delivery.Degraded(reason, late ? "8" : refused.rule(), shown);
    }
  }

  /** Nothing is remembered without a deadline: the state of a Live Activity. */
  private Opened data(Authentic authentic, long now, Deadline deadline) throws Refused {
    var content = content(authentic, false);
    boolean isRemembered = deadline != null;
    var freshness = isRemembered ? remember(authentic, now, deadline) : ReplayMemory.Freshness.NOT_CHECKED;
    return authentic.opened(content, freshness);
  }

  private Content content(Authentic authentic, boolean isNotification) throws Refused {
    var content = Content.read(authentic.plaintext.content(), isNotification);
    content.checkAccount(accounts);
    return content;
  }

  private ProofRequest request(Authentic authentic, long now, Deadline deadline) throws Refused {
    var request = ProofRequest.read(authentic.plaintext.content(), authentic.recipient.thumbprint());
    return remember(authentic, now, deadline) == ReplayMemory.Freshness.DUPLICATE ? request.asDuplicate() : request;
  }

  /** A message whose sections 1 to 5 are in order. {@code sender} is null if it is anonymous. */
  private record Authentic(Plaintext plaintext, Jwk recipient, Jwk sender, String envelopeKey) {
    /** Whose message it is, for the replay memory: the sender's thumbprint, or the recipient key's. */
    String origin() { return sender != null ? sender.kid() : "anonymous." + recipient.kid(); }

    Opened opened(Content content, ReplayMemory.Freshness freshness) {
      return new Opened(plaintext.messageID(), plaintext.issued(), plaintext.lifetime(),
          sender == null ? null : sender.thumbprint(), recipient.thumbprint(), freshness,
          new String(plaintext.content(), StandardCharsets.UTF_8), Notification.userInfo(content, envelopeKey),
          Added.read(content, sender != null));
    }
  }

  private Authentic authenticate(Json.Obj payload, PushType type, Set<Integer> contentTypes, long now) throws Refused {
    var envelope = Envelope.read(Envelope.member(payload, envelopeKey, type), suites);
    try {
      DeviceKeys.Key key = openingKey(envelope, now);
      byte[] info = Decryption.info(topic, envelope.suite(), key.jwk().thumbprint());
      var plaintext = Plaintext.read(Decryption.open(envelope, key, info), contentTypes);

      boolean isRequest = plaintext.contentType() == PushType.PROOF_REQUEST;
      Refused.unless(plaintext.isSigned() || (acceptsAnonymous && !isRequest), isRequest ? "11.19" : "5.7",
          Reason.ANONYMOUS_NOT_ACCEPTED);
      Jwk sender = plaintext.isSigned() ? sender(plaintext, now) : null;
      if (sender != null) plaintext.checkSignature(sender, info, ed25519);
      plaintext.checkTimes(now);
      return new Authentic(plaintext, key.jwk(), sender, envelopeKey);
    } catch (DeviceKeys.Locked locked) {
      throw new Refused("3.2", Reason.KEY_LOCKED);
    }
  }

  private DeviceKeys.Key openingKey(Envelope envelope, long now) throws Refused, DeviceKeys.Locked {
    for (DeviceKeys.Key key : keys.keys()) {
      boolean isNamed = Arrays.equals(key.jwk().keyID(), envelope.keyID());
      if (isNamed && key.jwk().kind().suite == envelope.suite() && !key.jwk().hasExpired(now)) return key;
    }
    throw new Refused("3.1", Reason.UNKNOWN_KEY);
  }

  private Jwk sender(Plaintext plaintext, long now) throws Refused, DeviceKeys.Locked {
    for (Senders.Key sender : senders.keys()) {
      Jwk key = sender.jwk();
      boolean isValid = !key.hasExpired(now) && (key.notBefore() == null || key.notBefore() <= now);
      boolean isInTime = sender.setEnd() == null || plaintext.issued() <= sender.setEnd();
      if (Arrays.equals(key.keyID(), plaintext.signer()) && isValid && isInTime) return key;
    }
    throw new Refused("5.8", Reason.UNKNOWN_SENDER);
  }

  private ReplayMemory.Freshness remember(Authentic authentic, long now, Deadline deadline) throws Refused {
    Plaintext plaintext = authentic.plaintext;
    UUID id = plaintext.messageID();
    byte[] name = Bytes.sha256(Bytes.ascii(authentic.origin()), new byte[] {(byte) plaintext.contentType()},
        Bytes.number(id.getMostSignificantBits(), 8), Bytes.number(id.getLeastSignificantBits(), 8));
    return memory.check(new ReplayMemory.Entry(authentic.origin(), Bytes.base64url(name),
        Bytes.base64url(Bytes.sha256(plaintext.content())), plaintext.issued(), plaintext.lastSecond()), now, deadline);
  }
}
