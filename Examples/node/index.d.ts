/** Seals push notifications to devices by the sealed push format, version 1. */

/** What every error of this package is. No error quotes a key or a text. */
export class SealedPushError extends Error {}

/** A message that cannot be sealed. */
export class SealError extends SealedPushError {}

/** Keys that are not what they should be. */
export class KeyFileError extends SealedPushError {}

/** A rule of FORMAT.md that something breaks, and the reason; `inner` is the rule within, where a rule asks for others. */
export class Refused extends SealedPushError {
  readonly rule: string;
  readonly reason: string;
  readonly inner?: string;
}

/** What carries a device's messages: to Apple's devices, or to Android. */
export type Service = "apns" | "fcm";

export interface ReadingOptions {
  /** The services that you deliver through; default: `["apns"]`. A device of another one is refused. */
  services?: readonly Service[];
}

export type SuiteName = "x25519-chachapoly" | "p256-aesgcm";

/** What has a device's keys. */
export type Addressed = PublicKeySet | Registration;

/** A device's public keys: what `sealpush keys export` writes. */
export class PublicKeySet {
  /** Nobody has signed it, so it must have come by a way that you trust. Throws `KeyFileError`. */
  static parse(text: string | Uint8Array): PublicKeySet;
  protected constructor();
  #private;
}

/** A device's signed set, of the identity that its backend has pinned. */
export class DeviceKeySet extends PublicKeySet {
  /** `identity` is the thumbprint that the backend keeps. Throws `Refused`, also if another one signed the set. */
  static verify(text: string | Uint8Array, identity: string, topic?: string): DeviceKeySet;
  readonly service: Service;
  readonly topic: string;
  readonly token: string;
  /** FCM has none. */
  readonly environment: "production" | "sandbox" | undefined;
}

/** The senders' set that devices trust, as `sealpush keys sign-senders` signs it. */
export class SenderSet {
  /** `roots` is the roots' public set. Throws `Refused` if none of them signed it. */
  static parse(text: string | Uint8Array, roots: string | Uint8Array, topic?: string): SenderSet;
  protected constructor();
  readonly topic: string;
  readonly endsAt: number;
}

/** A device, as a backend has registered it; what it has proven is sealed to, and nothing else. */
export class Registration {
  /** One line of a registrations' file, with its signatures verified. Throws `Refused`. */
  static parse(line: string | Uint8Array, options?: ReadingOptions): Registration;
  protected constructor();
  readonly name: string;
  readonly identity: string;
  /** The backend's own names for whose device it is, in order. */
  readonly persons: readonly string[];
  /** The tag of the person's account, if the device has one person. */
  readonly account: string | undefined;
  /** The same device for messages to one of its persons. Throws `KeyFileError` if it is not that person's. */
  of(person: string): Registration;
  readonly service: Service;
  readonly topic: string;
  /** The service's token to send to. Throws `KeyFileError` if the device has proven nothing; so do the other three. */
  readonly token: string;
  /** The APNs server that knows the token; FCM has none. */
  readonly environment: "production" | "sandbox" | undefined;
  #private;
}

/** What a device signs before its keys are destroyed. */
export class Leave {
  /** A leave as the app sends it; `audience` is the backend's own name. Throws `Refused`. */
  static parse(text: string | Uint8Array, audience: string, topic?: string): Leave;
  protected constructor();
  readonly topic: string;
  readonly identity: string;
  readonly serial: number;
  /** The registrations that it removes; none if nobody has its identity. Throws `Refused` if the device has enrolled since. */
  names(registrations: Map<string, Registration>): string[];
}

/** The registrations of a file by their names. One bad line makes the whole file refused: throws `Refused`. */
export function readRegistrations(text: string | Uint8Array, options?: ReadingOptions): Map<string, Registration>;

/** The devices of each person, for messages to that person; a device may be several persons'. */
export function byPerson(registrations: ReadonlyMap<string, Registration>): Map<string, Registration[]>;

/**
 * The tag of a person's account on the device whose identity has this thumbprint, for your answer to an enrolment behind
 * which the person's login stands.
 */
export function accountTag(person: string, identity: string): string;

/** A sender's private Ed25519 key. It shows itself to nobody. */
export class SigningKey {
  /** The active key of a sender's private JWK Set, or an Ed25519 key in PEM; no passphrase. Throws `KeyFileError`. */
  static parse(text: string | Uint8Array): SigningKey;
  protected constructor();
  #private;
}

/** What a message has that any service carries. */
interface CommonOptions {
  /** The message's identity, a UUID; reuse it when you retry a job. */
  messageID?: string;
  /** When it was first issued, in Unix seconds; reuse it, too. */
  issuedAt?: number;
  /** Seconds, at most 2592000; of FCM's messages 2419200 by default. */
  lifetime?: number;
  padding?: "buckets" | "maximum" | "none";
  suite?: SuiteName;
  /** The tag of the account on the device that the message is for; default: that of the registration's one person. */
  account?: string;
  /** The time to act at, in Unix seconds. */
  now?: number;
}

export interface SealingOptions extends CommonOptions {
  pushType?: "alert" | "background";
  /** The visible title. */
  title?: string;
  /** The visible body, the same for every message: "(Encrypted)" by default. */
  body?: string;
  sound?: boolean;
  priority?: 10 | 5 | 1;
}

export interface FCMOptions extends CommonOptions {
  /** `fcm` is like an alert, and `fcm-data` like a background push. */
  pushType?: "fcm" | "fcm-data";
  /** `HIGH` is the default of `fcm`, which alone may have it. */
  priority?: "HIGH" | "NORMAL";
  /** How long FCM keeps the message, in seconds; the lifetime by default, and at most 28 days. */
  ttl?: number;
  /** Visible: 1 to 64 characters of ASCII. */
  collapseKey?: string;
}

/** What a payload may have as its member `sealed-push`: `v`, and at least one of the others. */
export interface CallersMember {
  v: 1;
  /** The ID of the message whose place this one takes on the device, in lower case; `apns-collapse-id` is the same. */
  replaces?: string;
  /** The IDs of 1 to 32 messages that it takes from the screen, in lower case. */
  removes?: readonly string[];
  /** Bytes of the app's own, in base64url without padding. */
  bytes?: string;
}

/** What an APNs client sends to /3/device/TOKEN: the payload, byte for byte, with the headers. */
export interface SealedPush {
  readonly payload: Uint8Array;
  readonly headers: Record<string, string>;
}

/** What FCM carries to an app on Android: members of FCM's message. */
export interface SealedMessage {
  readonly data: Record<string, string>;
  readonly android: { priority: "HIGH" | "NORMAL"; ttl: string; collapse_key?: string };
  /** The body of a request to FCM's HTTP v1 API, for the device with this registration token. */
  request(token: string): { message: object };
}

/** Seals an app's messages, and signs them. */
export class Sealer {
  /** `published` is the set that devices have: a message that they would not trust by it is not sealed. */
  constructor(topic: string, signingKey: SigningKey, options?: { published?: SenderSet });
  /** A sealer that does not sign. Devices show such messages only if their app accepts them. */
  static anonymous(topic: string): Sealer;
  readonly topic: string;
  /**
   * Seals a payload, `{ aps: {…}, … }`, or its JSON, whose numbers stay as they are. Its member `sealed-push`, if there is one,
   * is a `CallersMember`. Throws `SealError`.
   */
  seal(payload: object | string | Uint8Array, to: Addressed, options?: SealingOptions): SealedPush;
  /** Seals the same payload for a device of FCM; the topic is the app's application ID. Throws `SealError`. */
  sealFCM(payload: object | string | Uint8Array, to: Addressed, options?: FCMOptions): SealedMessage;
  #private;
}
