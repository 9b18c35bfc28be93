#!/bin/sh
# Starts Chromium with the arguments given in a network namespace of its own. Nothing leads out of it but relay.mjs, and its
# addresses never change. ISOLATED_UNSHARE: flags of unshare; ISOLATED_NODE, ISOLATED_RELAY, ISOLATED_SOCKET: the relay and its argument;
# ISOLATED_CHROMIUM: the program.
set -eu
# Without an address besides loopback Chromium takes itself for offline.
# shellcheck disable=SC2086 # several flags
exec unshare $ISOLATED_UNSHARE sh -euc '
  ip link set lo up
  ip link add web0 type veth peer name web1
  # An address of IPv6 would come by itself, a second later, and be a change.
  for end in web0 web1; do
    ip link set "$end" addrgenmode none
    ip link set "$end" up
  done
  ip address add 192.0.2.1/24 dev web0
  "$ISOLATED_NODE" "$ISOLATED_RELAY" "$ISOLATED_SOCKET" &
  exec "$ISOLATED_CHROMIUM" "$@"
' sh "$@"
