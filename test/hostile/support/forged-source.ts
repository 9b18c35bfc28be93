/**
 * Steps that send with another's address by IPv6, which takes no right at all (`IPV6_FREEBIND`). They need perl, which asks the kernel
 * for whatever it is told to; busybox knows no such option.
 */
import { addressBytes } from "@forgeline/runner/egress/address.ts";

const port = 5_353;
const heardFile = "/tmp/heard";
const socket = `
sub at { pack("SnNa16N", 10, $_[1], 0, pack("H*", $_[0]), 0) }
socket(S, 10, 2, 0) or die $!;`;

/** Notes each datagram that comes, until it is told to end: also when the step is over. */
export const listen = `perl -e '${socket}
bind(S, at("${hex("::")}", ${String(port)})) or die $!;
$| = 1;
print "listening\\n";
while (defined recv(S, $said, 2000, 0) and $said ne "end") { print "heard\\n" }
print "end\\n"' >${heardFile} 2>&1 &
until grep -q listening ${heardFile}; do sleep 0.1; done`;

/** Prints what came. The word that ends it waits behind all that came before. */
export const whatWasHeard = `perl -e '${socket}
send(S, "end", 0, at("${hex("::1")}", ${String(port)})) or die $!'
until grep -q end ${heardFile}; do sleep 0.1; done
grep heard ${heardFile} | uniq`;

/** Asks the name server until it answers, so many times in tenths of a second, and prints whether it did. */
export function askFrom(source: string, server: string, times: number): string {
  return `perl -e '${socket}
setsockopt(S, 41, 78, pack("i", 1)) or die $!;
bind(S, at("${hex(source)}", ${String(port)})) or die $!;
for (1 .. ${String(times)}) {
  send(S, pack("nnnnnnCa6Cnn", 7, 256, 1, 0, 0, 0, 6, "hidden", 0, 1, 1), 0, at("${hex(server)}", 53)) or die $!;
  vec($ready, fileno(S), 1) = 1;
  if (select($ready, undef, undef, 0.1) > 0) { print "answered\\n"; exit }
}
print "no answer\\n"'`;
}

function hex(address: string): string {
  return addressBytes(address)?.toString("hex") ?? "";
}
