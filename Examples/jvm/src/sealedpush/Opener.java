package sealedpush;

import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;

/**
 * Opens messages by sections 1 to 8. Once it is set up, threads may share it. A payload is the outer one, already
 * parsed; {@link Json#parse} applies rule 6.1 to one that is not.
 */
public final class Opener {
  private final String topic;
  private final DeviceKeys keys;
  private final Senders senders;
  private final ReplayMemory memory;
  private Set<Suite> suites = EnumSet.of(Suite.X25519_CHACHAPOLY, Suite.P256_AESGCM);
  private boolean acceptsAnonymous = false;
  private Set<String> accounts = null;
  private String envelopeKey = "ENCRYPTED_DATA";
  private String fixedTitle = null;
  private Function<Reason, String> placeholder = reason -> "(Encrypted)";
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

  /** The title of what did not open; without a call, the outer payload's. */
  public Opener fixedTitle(String title) { fixedTitle = title; return this; }

  /** The text of what did not open, which depends on nothing but the reason. */
  public Opener placeholder(Function<Reason, String> text) { placeholder = text; return this; }

  /** How a localization key becomes text. */
  public Opener localizing(UnaryOperator<String> function) { localize = function; return this; }

  public Opener ed25519(Ed25519 library) { ed25519 = library; return this; }

  /** Opens a notification of APNs. Whatever happens, there is something to show. */
  public Delivery notification(Json.Obj payload, long now, Deadline deadline) {
    return deliver(payload, Set.of(PushType.ALERT.contentType), now, deadline);
  }

  /** Opens whatever FCM brought: its {@code data} does not say which of its types it is, but the content does. */
  public Delivery fcm(Map<String, String> data, long now, Deadline deadline) {
    var payload = new Json.Obj(new HashMap<>(data));
    var types = Set.of(PushType.FCM.contentType, PushType.FCM_DATA.contentType, PushType.PROOF_REQUEST);
    return deliver(payload, types, now, deadline);
  }

  /** Opens data of a push type, which nobody sees. */
  public Opened data(Json.Obj payload, PushType type, long now, Deadline deadline) throws Refused {
    var authentic = authenticate(payload, type, Set.of(type.contentType), now);
    return opened(authentic, Content.read(authentic.plaintext, accounts), now, deadline);
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
      isSeen = authentic.plaintext.isNotification();
      if (authentic.plaintext.isRequest()) return new Delivery.Request(request(authentic, now, deadline));
      var content = Content.read(authentic.plaintext, accounts);
      if (!isSeen) return new Delivery.Data(opened(authentic, content, now, deadline));
      deadline.check();
      Opened message = opened(authentic, content, now, deadline);
      return new Delivery.Shown(message, Notification.opened(content, message, localize));
    } catch (Refused refused) {
      boolean late = deadline.left() <= 0;
      Reason reason = late ? Reason.DEADLINE : refused.reason();
      String text = placeholder.apply(reason);
      var shown = isSeen ? Notification.degraded(payload, envelopeKey, fixedTitle, text, late) : null;
      return new Delivery.Degraded(reason, late ? "8" : refused.rule(), shown);
    }
  }

  private Opened opened(Authentic authentic, Content content, long now, Deadline deadline) throws Refused {
    Plaintext plaintext = authentic.plaintext;
    Jwk sender = authentic.sender;
    return new Opened(plaintext.messageID(), plaintext.issued(), plaintext.lifetime(),
        sender == null ? null : sender.thumbprint(), authentic.recipient.thumbprint(),
        remember(authentic, now, deadline), new String(plaintext.content(), StandardCharsets.UTF_8),
        Notification.userInfo(content, envelopeKey), Added.read(content, sender != null));
  }

  private ProofRequest request(Authentic authentic, long now, Deadline deadline) throws Refused {
    var request = ProofRequest.read(authentic.plaintext.content(), authentic.recipient.thumbprint());
    return remember(authentic, now, deadline) == ReplayMemory.Freshness.DUPLICATE ? request.asDuplicate() : request;
  }

  /** A message whose sections 1 to 5 are in order. {@code sender} is null if it is anonymous. */
  private record Authentic(Plaintext plaintext, Jwk recipient, Jwk sender) {}

  private Authentic authenticate(Json.Obj payload, PushType type, Set<Integer> contentTypes, long now) throws Refused {
    var envelope = Envelope.read(payload, envelopeKey, type, suites);
    DeviceKeys.Key key = openingKey(envelope, now);
    byte[] info = Decryption.info(topic, envelope.suite(), key.jwk().thumbprint());
    var plaintext = Plaintext.read(Decryption.open(envelope, key, info), contentTypes);

    boolean isRequest = plaintext.isRequest();
    Refused.unless(plaintext.isSigned() || (acceptsAnonymous && !isRequest), isRequest ? "11.19" : "5.7",
        Reason.ANONYMOUS_NOT_ACCEPTED);
    Jwk sender = plaintext.isSigned() ? sender(plaintext, now) : null;
    if (sender != null) plaintext.checkSignature(sender, info, ed25519);
    plaintext.checkTimes(now);
    return new Authentic(plaintext, key.jwk(), sender);
  }

  private DeviceKeys.Key openingKey(Envelope envelope, long now) throws Refused {
    for (DeviceKeys.Key key : keys.keys()) if (envelope.isFor(key.jwk()) && !key.jwk().hasExpired(now)) return key;
    throw new Refused("3.1", Reason.UNKNOWN_KEY);
  }

  private Jwk sender(Plaintext plaintext, long now) throws Refused {
    for (Senders.Key sender : senders.keys()) {
      Jwk key = sender.jwk();
      boolean isValid = !key.hasExpired(now) && (key.notBefore() == null || key.notBefore() <= now);
      boolean isInTime = sender.setEnd() == null || plaintext.issued() <= sender.setEnd();
      if (Arrays.equals(key.keyID(), plaintext.signer()) && isValid && isInTime) return key;
    }
    throw new Refused("5.8", Reason.UNKNOWN_SENDER);
  }

  /** Section 7. The state of a Live Activity is opened again and again. */
  private ReplayMemory.Freshness remember(Authentic authentic, long now, Deadline deadline) throws Refused {
    Plaintext plaintext = authentic.plaintext;
    int type = plaintext.contentType();
    if (type == PushType.LIVE_ACTIVITY.contentType) return ReplayMemory.Freshness.NOT_CHECKED;
    String origin = authentic.sender != null ? authentic.sender.kid() : "anonymous." + authentic.recipient.kid();
    byte[] name = Bytes.sha256(Bytes.utf8(origin), new byte[] {(byte) type}, Bytes.of(plaintext.messageID()));
    return memory.check(new ReplayMemory.Entry(origin, Bytes.base64url(name),
        Bytes.base64url(Bytes.sha256(plaintext.content())), plaintext.issued(), plaintext.lastSecond()), now, deadline);
  }
}
