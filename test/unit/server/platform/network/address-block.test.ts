import { expect, test } from "vitest";
import { addressBlock } from "@forgeline/server/platform/network/address-block.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::1", "2001:db8:0:0::/56"],
  ["2001:db8:0:ff::1", "2001:db8:0:0::/56"],
  ["2001:DB8:0:1ff:1:2:3:4", "2001:db8:0:100::/56"],
  ["::1", "0:0:0:0::/56"],
  ["fe80::", "fe80:0:0:0::/56"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:0::/56"],
  ["fe80::1%eth0", "fe80:0:0:0::/56"],
  ["nonsense", "unknown"],
  ["", "unknown"],
])("%s → %s", (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
