#!/bin/sh
# Starts Chromium with the arguments given in a network namespace of its own. Nothing leads out of it but relay.mjs, and its
# addresses never change. APART_UNSHARE: flags of unshare; APART_NODE, APART_RELAY, APART_SOCKET: the relay and its argument;
# APART_CHROMIUM: the program.
set -eu
# Without an address besides loopback Chromium takes itself for offline.
# shellcheck disable=SC2086 # several flags
exec unshare $APART_UNSHARE sh -euc '
  ip link set lo up
  ip link add apart type veth peer name apart-end
  # An address of IPv6 would come by itself, a second later, and be a change.
  for end in apart apart-end; do
    ip link set "$end" addrgenmode none
    ip link set "$end" up
  done
  ip address add 192.0.2.1/24 dev apart
  "$APART_NODE" "$APART_RELAY" "$APART_SOCKET" &
  exec "$APART_CHROMIUM" "$@"
' sh "$@"
