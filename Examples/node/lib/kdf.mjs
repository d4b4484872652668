import { createHmac } from "node:crypto";

/** RFC 5869, 2.2. */
export function extract(salt, keyMaterial) {
  return createHmac("sha256", salt).update(keyMaterial).digest();
}

/** RFC 5869, 2.3. `hkdfSync` of `node:crypto` cannot expand alone. */
export function expand(key, info, count) {
  let block = Buffer.alloc(0);
  const blocks = [];
  for (let number = 1; 32 * blocks.length < count; number += 1) {
    block = createHmac("sha256", key).update(block).update(info).update(Buffer.of(number)).digest();
    blocks.push(block);
  }
  return Buffer.concat(blocks).subarray(0, count);
}
