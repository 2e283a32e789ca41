import { expect, test } from "vitest";
import { readWebUrl, resolveHost, type WebAddressRules } from "../../../src/tools/web/web-address.js";

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
