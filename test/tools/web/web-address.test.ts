import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isPublicAddress,
  isPublicName,
  readWebUrl,
  resolveHost,
  type WebAddressRules,
} from "../../../src/tools/web/web-address.js";

const REFUSED = expect.objectContaining({ code: "ADDRESS_REFUSED" });

test.each([
  ["decimal", "http://2130706433/"],
  ["octal", "http://0177.0.0.1/"],
  ["octal, whole", "http://017700000001/"],
  ["hexadecimal", "http://0x7f.0x0.0x0.0x1/"],
  ["hexadecimal, whole", "http://0x7f000001/"],
  ["short", "http://127.1/"],
  ["shorter", "http://0/"],
  ["with a dot at its end", "http://127.0.0.1./"],
  ["escaped", "http://%31%32%37.0.0.1/"],
  ["in full-width digits", "http://１２７.0.0.1/"],
  ["with ideographic full stops", "http://127。0。0。1/"],
  ["in circled letters", "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/"],
  ["mixed with tabs and line breaks", "ht\ntp://127.0.\t0.1/"],
  ["without slashes", "http:127.0.0.1"],
  ["with backslashes", "http:\\\\127.0.0.1\\x"],
  ["IPv6", "http://[::1]/"],
  ["IPv6, mapped", "http://[::ffff:127.0.0.1]/"],
  ["IPv6, mapped, in hexadecimal", "http://[::ffff:7f00:1]/"],
  ["IPv6 with a zone", "http://[fe80::1%25eth0]/"],
  ["IPv6, written out", "http://[0:0:0:0:0:0:0:1]/"],
  ["metadata", "http://169.254.169.254/latest/meta-data/"],
  ["metadata, decimal", "http://2852039166/"],
  ["metadata, IPv6", "http://[fd00:ec2::254]/"],
  ["metadata by name", "http://metadata.google.internal/computeMetadata/v1/"],
  ["a name", "http://localhost:3000/"],
  ["a name with a dot at its end", "http://localhost./"],
  ["a name with dots at its end", "http://localhost../"],
  ["a name in capitals", "http://LOCALHOST/"],
  ["a name below it", "http://app.localhost/"],
  ["a name of one word", "http://kubernetes/"],
  ["behind user information", "http://example.com@127.0.0.1/"],
  ["behind a backslash and an @", "http://127.0.0.1\\@example.com/"],
])("a local address is refused: %s", (_what, url) => {
  expect(() => readWebUrl(url, {})).toThrow(REFUSED);
});

test.each([
  ["another scheme", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["inline content", "data:text/plain,x"],
  ["a host without a scheme", "example.com"],
  ["text", "not a url"],
  ["a name and a password", "https://me:secret@example.com/"],
  ["a user name", "https://me@example.com/"],
  ["mail", "http://example.com:25/"],
  ["a remote shell", "https://example.com:22/"],
  ["too much", `https://example.com/${"x".repeat(10_000)}`],
])("what is not an address of a page is refused: %s", (_what, url) => {
  expect(() => readWebUrl(url, {})).toThrow(REFUSED);
});

test("a refusal shows neither the password nor pages of text", () => {
  for (const url of ["https://me:secret@example.com/", `https://example.com/${"x".repeat(10_000)}`]) {
    expect(() => readWebUrl(url, {})).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/secret|x{300}/) }),
    );
  }
});

test("a public address is read, without its fragment", () => {
  const urls = ["https://example.com/a?b=c#d", "http://example.com:8080/", "https://EXAMPLE.com./", "http://8.8.8.8/"];

  expect(urls.map((url) => readWebUrl(url, {}).href)).toEqual([
    "https://example.com/a?b=c",
    "http://example.com:8080/",
    "https://example.com./",
    "http://8.8.8.8/",
  ]);
});

test("allowHosts leaves only what it names", () => {
  const rules = { allowHosts: ["docs.example.com", "*.Example.org"] };
  const read = (url: string) => () => readWebUrl(url, rules);

  for (const url of ["https://docs.example.com/x", "https://docs.example.com./", "https://a.b.example.org/"]) {
    expect(read(url)).not.toThrow();
  }
  for (const url of [
    "https://example.com/",
    "https://example.org/",
    "https://evilexample.org/",
    "https://a.docs.example.com/",
  ]) {
    expect(read(url)).toThrow(REFUSED);
  }
  expect(() => readWebUrl("https://10.0.0.1/", { allowHosts: ["10.0.0.1"] })).toThrow(REFUSED);
});

/** What a name resolves to. */
async function resolved(...addresses: string[]) {
  const rules: WebAddressRules = { lookup: async () => addresses.map((address) => ({ address, family: 0 })) };
  return resolveHost(new URL("https://example.com/"), rules);
}

test("a name is refused when any of its addresses is not public, without telling which", async () => {
  expect(await resolved("8.8.8.8", "2606:4700::1")).toEqual([
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  for (const addresses of [["10.1.2.3"], ["8.8.8.8", "10.1.2.3"], ["8.8.8.8", "::ffff:10.1.2.3"], ["what"]]) {
    const refusal = await resolved(...addresses).catch((error: unknown) => error);
    expect(refusal).toEqual(REFUSED);
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("10.1.2.3");
  }
});

test("a name nobody knows has no addresses, and an odd resolver is reported so", async () => {
  const notFound = Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
  const url = new URL("https://example.com/");

  expect(await resolved()).toBeNull();
  expect(await resolveHost(url, { lookup: () => Promise.reject(notFound) })).toBeNull();
  await expect(resolveHost(url, { lookup: async () => "8.8.8.8" as never })).rejects.toThrow(
    /lookup\(\) has to answer/,
  );
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "93.184.216.34",
  "172.32.0.1",
  "100.128.0.1",
  "192.167.255.255",
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2a00:1450:4001::1",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ["this host", "0.0.0.0", "0.1.2.3", "::"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"],
  ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254", "fd20:ce::254"],
  ["link-local and site-local", "169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1"],
  ["shared", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
  ["multicast and broadcast", "224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1", "ff0e::1"],
  ["reserved", "240.0.0.1", "254.1.1.1", "192.0.0.1", "192.0.0.192", "100::1", "5f00::1", "4000::1", "e000::1"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff::1"],
  ["benchmark", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "::127.0.0.1", "::ffff:0:10.0.0.1"],
  ["translated", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1", "192.88.99.1"],
  ["a cloud's own", "168.63.129.16"],
  ["no address", "", "localhost", "example.com", "1.2.3.4.5", "256.1.1.1", "[::1]", "1.2.3.4/8", "::1::"],
])("%s is not public: %s …", (_what, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test("an IPv4 address is never public in an IPv6 one's clothes", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const prefix = fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:");

  fc.assert(
    fc.property(prefix, fc.tuple(byte, byte, byte, byte), (start, bytes) => {
      expect(isPublicAddress(`${start}${bytes.join(".")}`)).toBe(false);
    }),
    { numRuns: process.env.PROVE ? 100_000 : 1_000 },
  );
});

test("names of one word and of internal domains are not public", () => {
  const internal = [
    "localhost",
    "metadata",
    "a.localhost",
    "metadata.google.internal",
    "nas.local",
    "db.corp",
    "x.lan",
  ];

  expect(internal.filter(isPublicName)).toEqual([]);
  expect(["example.com", "local.example.com", "internal.dev", "localhost.example.org"].every(isPublicName)).toBe(true);
});
