/** Rules 10.5 to 10.8: the rule that a blob's address breaks, or null. */
export function addressFault(url) {
  const scheme = "https://";
  if (url.length > 2048 || /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/.test(url)) return "10.5";
  if (/%(?![0-9A-Fa-f]{2})/.test(url) || !url.startsWith(scheme) || url.includes("#")) return "10.5";
  const authority = url.slice(scheme.length).split(/[/?]/, 1)[0];
  const colon = portColon(authority);
  const host = colon === -1 ? authority : authority.slice(0, colon);
  if (authority.includes("@") || host === "" || (colon !== -1 && !isGoodPort(authority.slice(colon + 1)))) return "10.5";
  return hostFault(host);
}

/** The position of the colon between host and port; -1 if there is none. */
function portColon(authority) {
  if (!authority.startsWith("[")) return authority.indexOf(":");
  const end = authority.indexOf("]");
  return end !== -1 && authority[end + 1] === ":" ? end + 1 : -1;
}

function isGoodPort(text) {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

function hostFault(host) {
  if (host.startsWith("[")) {
    return host.indexOf("]") === host.length - 1 && isGoodIPv6(host.slice(1, -1)) ? null : "10.8";
  }
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => /^[A-Za-z0-9_-]{1,63}$/.test(label))) return "10.6";
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/i.test(labels.at(-1))) return isGoodIPv4(labels) ? null : "10.7";
  const [last, lastTwo] = [labels.slice(-1), labels.slice(-2)].map((some) => some.join(".").toLowerCase());
  const isLocal = ["localhost", "local", "internal"].includes(last) || lastTwo === "home.arpa";
  return labels.length >= 2 && !isLocal ? null : "10.6";
}

const privateIPv4 = [
  ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12],
  ["192.0.0.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["224.0.0.0", 3],
].map(([address, bits]) => {
  const shift = BigInt(32 - bits);
  return { prefix: valueOf(address.split(".").map(BigInt)) >> shift, shift };
});

function valueOf(bytes) {
  return bytes.reduce((value, byte) => value << 8n | byte, 0n);
}

/** Rule 10.7: an IPv4 address in any of the forms that libraries accept. */
function isGoodIPv4(labels) {
  if (labels.length > 4) return false;
  const numbers = labels.map(ipv4Number);
  if (numbers.includes(null)) return false;
  const last = numbers.pop();
  const lastBits = BigInt(8 * (4 - numbers.length));
  if (numbers.some((number) => number > 255n) || last >= 1n << lastBits) return false;
  const address = valueOf(numbers) << lastBits | last;
  return !privateIPv4.some(({ prefix, shift }) => address >> shift === prefix);
}

function ipv4Number(text) {
  if (/^0x[0-9a-f]+$/i.test(text)) return BigInt(text.toLowerCase());
  if (/^0[0-7]+$/.test(text)) return BigInt("0o" + text);
  return /^(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : null;
}

/** Rule 10.8: an IPv6 address in 2000::/3, but not in 2001::/32 or 2002::/16. */
function isGoodIPv6(text) {
  const groups = ipv6Groups(text);
  return groups !== null && groups[0] >> 13 === 1 && groups[0] !== 0x2002 && !(groups[0] === 0x2001 && groups[1] === 0);
}

/** The eight groups of an address (RFC 4291, 2.2), or null. */
function ipv6Groups(text) {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [before, after] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (before === null || after === null) return null;
  if (after === undefined) return before.length === 8 ? before : null;
  const zeros = 8 - before.length - after.length;
  return zeros >= 1 ? [...before, ...Array(zeros).fill(0), ...after] : null;
}

/** The groups between colons; the last ones may be an IPv4 address. */
function groupsOf(text, isLast) {
  if (text === "") return [];
  const groups = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups.push(parseInt(part, 16));
    else if (isLast && index === parts.length - 1 && isDottedDecimal(part)) {
      const [a, b, c, d] = part.split(".").map(Number);
      groups.push(a << 8 | b, c << 8 | d);
    } else return null;
  }
  return groups;
}

function isDottedDecimal(text) {
  const numbers = text.split(".");
  return numbers.length === 4 && numbers.every((number) => /^(?:0|[1-9][0-9]{0,2})$/.test(number) && Number(number) < 256);
}
