// Seals as a backend in Node would that wants what SealedPush gives, with node:crypto alone: X25519, HKDF and
// ChaCha20-Poly1305 around the message's identity, time and lifetime, signed for its app and its recipient, padded to
// the same lengths.
//
// The first two lines of input are the notification and the payload up to the sealed text. The program opens a payload
// of its own and says which Node it is. Then each line of input is a number of seconds, and each line of output how
// many messages were sealed, in how many seconds by the clock, and in how many of the processors' time.
import assert from "node:assert/strict";
import * as crypto from "node:crypto";
import { createInterface } from "node:readline";

const headSize = 1 + 16 + 8 + 4 + 8;
const signatureSize = 64;
const lifetime = 30 * 86400;
const buckets = [256, 512, 1024, 2048];
const pace = 50;
const tail = '"}';
const suite = "chacha20-poly1305";
const tagSize = 16;
// The public key is the end of its SubjectPublicKeyInfo.
const spki = { type: "spki", format: "der" };
const spkiHead = Buffer.from("302a300506032b656e032100", "hex");

/** The key and the nonce of one message. */
function derive(secret, ephemeral, recipient) {
  const keys = Buffer.from(crypto.hkdfSync("sha256", secret, Buffer.concat([ephemeral, recipient]), "push v1", 44));
  return [keys.subarray(0, 32), keys.subarray(32)];
}

/** Knows one sender, one recipient and one placeholder. */
class Sealer {
  constructor(payloadHead, recipientKey, signingKey) {
    Object.assign(this, { payloadHead, recipientKey, signingKey });
    this.recipient = recipientKey.export(spki).subarray(-32);
    this.context = Buffer.concat([Buffer.from("push v1\0com.example.app\0"), this.recipient]);
    this.verificationKey = crypto.createPublicKey(signingKey);
    this.signerID = this.verificationKey.export(spki).subarray(-32, -24);
  }

  /** The final bytes. */
  payload(notification) {
    const sealed = this.seal(Buffer.from(JSON.stringify(notification)));
    return Buffer.from(this.payloadHead + sealed.toString("base64url") + tail);
  }

  seal(content) {
    const size = headSize + signatureSize + content.length + 1;
    const plaintext = Buffer.alloc(buckets.find((bucket) => size <= bucket));
    plaintext[0] = 0x11;
    crypto.randomFillSync(plaintext, 1, 16);
    plaintext.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000)), 17);
    plaintext.writeUInt32BE(lifetime, 25);
    this.signerID.copy(plaintext, 29);
    const signed = Buffer.concat([this.context, plaintext.subarray(0, headSize), content]);
    crypto.sign(null, signed, this.signingKey).copy(plaintext, headSize);
    content.copy(plaintext, headSize + signatureSize);
    plaintext[size - 1] = 0x80;

    const { publicKey, privateKey } = crypto.generateKeyPairSync("x25519", { publicKeyEncoding: spki });
    const ephemeral = publicKey.subarray(-32);
    const secret = crypto.diffieHellman({ privateKey, publicKey: this.recipientKey });
    const keys = derive(secret, ephemeral, this.recipient);
    const cipher = crypto.createCipheriv(suite, ...keys, { authTagLength: tagSize });
    return Buffer.concat([ephemeral, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /** The content of a payload; throws if it is not whole or its signature is wrong. */
  open(payload, privateKey) {
    const message = Buffer.from(JSON.parse(payload).ENCRYPTED_DATA, "base64url");
    const ephemeral = message.subarray(0, 32);
    const ephemeralKey = crypto.createPublicKey({ key: Buffer.concat([spkiHead, ephemeral]), ...spki });
    const secret = crypto.diffieHellman({ privateKey, publicKey: ephemeralKey });
    const keys = derive(secret, ephemeral, this.recipient);
    const decipher = crypto.createDecipheriv(suite, ...keys, { authTagLength: tagSize });
    decipher.setAuthTag(message.subarray(-tagSize));
    const plaintext = Buffer.concat([decipher.update(message.subarray(32, -tagSize)), decipher.final()]);
    assert.equal(plaintext.length, 512);
    const head = plaintext.subarray(0, headSize);
    const signature = plaintext.subarray(headSize, headSize + signatureSize);
    const content = plaintext.subarray(headSize + signatureSize, plaintext.lastIndexOf(0x80));
    assert(crypto.verify(null, Buffer.concat([this.context, head, content]), this.verificationKey, signature));
    return content;
  }

  /** Seals until the time is used up. */
  round(notification, seconds) {
    const start = performance.now();
    const processorStart = process.cpuUsage();
    let count = 0;
    while (performance.now() - start < seconds * 1000) {
      for (let i = 0; i < pace; i++) this.payload(notification);
      count += pace;
    }
    // What all threads have had together, those of the garbage collector and the compiler too.
    const { user, system } = process.cpuUsage(processorStart);
    return `${count} ${(performance.now() - start) / 1e3} ${(user + system) / 1e6}`;
  }
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const text = (await lines.next()).value;
const payloadHead = (await lines.next()).value;
const notification = JSON.parse(text);
const device = crypto.generateKeyPairSync("x25519");
const sealer = new Sealer(payloadHead, device.publicKey, crypto.generateKeyPairSync("ed25519").privateKey);

// What is timed is what is claimed.
const content = sealer.open(sealer.payload(notification), device.privateKey);
assert.equal(content.length, Buffer.byteLength(text));
assert.deepEqual(JSON.parse(content), notification);
console.log(`Node ${process.versions.node}`);
for await (const seconds of lines) console.log(sealer.round(notification, Number(seconds)));
