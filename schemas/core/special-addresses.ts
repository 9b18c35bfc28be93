/**
 * Which ranges of IP addresses do not belong to the Internet at large: they lead into somebody's own network or machine, or
 * carry another address inside. The server refuses them where users choose an address, the runner to its jobs.
 */

/** IANA's special-purpose registry, multicast, reserved space, and the address behind which Azure answers its guests. */
export const specialV4Ranges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/** All that is routed; mapped, compatible and translated IPv4, loopback, link-local and unique local ones lie outside. */
export const globalV6Range = "2000::/3";

/** Inside it: Teredo, 6to4 and the like, which carry IPv4 addresses; documentation; AS112. */
export const specialV6Ranges = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
] as const;
