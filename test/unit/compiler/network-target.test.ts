/** Entries of `network: { allow: … }`. */
import { expect, test } from "vitest";
import { parseNetworkTarget } from "@forgeline/compiler/network-target.ts";

test.each([
  ["registry.npmjs.org", { kind: "name", text: "registry.npmjs.org", port: null }],
  ["Registry.NPMjs.org:443", { kind: "name", text: "registry.npmjs.org", port: 443 }],
  ["*.example.com", { kind: "below", text: "example.com", port: null }],
  ["localhost", { kind: "name", text: "localhost", port: null }],
  ["xn--bcher-kva.example:8080", { kind: "name", text: "xn--bcher-kva.example", port: 8080 }],
  ["10.0.0.0/8", { kind: "network", text: "10.0.0.0/8", port: null }],
  ["192.0.2.7:5432", { kind: "network", text: "192.0.2.7", port: 5432 }],
  ["2001:db8::1", { kind: "network", text: "2001:db8::1", port: null }],
  ["[2001:db8::1]:443", { kind: "network", text: "2001:db8::1", port: 443 }],
  ["fd00::/8", { kind: "network", text: "fd00::/8", port: null }],
])("%s is read", (written, target) => {
  expect(parseNetworkTarget(written)).toEqual(target);
});

test.each([
  "",
  "*",
  "*.*.com",
  "a.*.com",
  "https://registry.npmjs.org",
  "registry.npmjs.org/left-pad",
  "10.0.0.300",
  "10.0.0.0/33",
  "registry.npmjs.org:0",
  "registry.npmjs.org:70000",
  "registry.npmjs.org:https",
  "-a.example",
  "a..example",
  "a b",
  "${{ vars.HOST }}",
  `${"a".repeat(64)}.example`,
])("%j is none", (written) => {
  expect(parseNetworkTarget(written)).toBeNull();
});
