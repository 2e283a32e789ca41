import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress, isPublicName } from "../../../src/tools/web/web-address.js";

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
