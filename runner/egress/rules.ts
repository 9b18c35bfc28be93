/** The chains of the filter and their rules, in the order in which the kernel tries them. */
import {
  globalV6Range,
  specialV4Ranges,
  specialV6Ranges,
} from "@forgeline/schemas/core/special-addresses.ts";
import { isSingle, networkOf, type Network } from "./address.ts";
import type { AllowedTarget } from "./allow-list.ts";
import {
  accept,
  opensConnection,
  exceedsConnectionRate,
  hasNoReturnRoute,
  destination,
  drop,
  firstAddress,
  firstPort,
  isRedirected,
  type Expression,
  icmpv6Type,
  isolated,
  interfaceNamed,
  interfacesIn,
  jump,
  knownConnection,
  noteInterface,
  overProtocol,
  rejectAsProhibited,
  protocol,
  resetConnection,
  sentTo,
  type SetName,
  exceedsOpenConnections,
  toPort,
  untracked,
} from "./expressions.ts";
import { closedPrefix, jobProxyPort, type EgressPolicy, type Endpoint } from "./policy.ts";

export interface Chain {
  name: string;
  /** Where packets enter it by themselves; null: only from other chains. */
  hook: "prerouting" | "forward" | "input" | null;
  rules: readonly (readonly Expression[])[];
}

/**
 * Pairs of one interface with itself. No rule can compare two interfaces; but a packet whose pair is in here, where only
 * such pairs are ever noted, leaves by the interface by which it came.
 */
export const sameInterface: SetName = { name: "same", id: 1, timeoutMs: 60_000 };

/** Networks whose connections began lately. A network that began none for so long may begin as many as a new one. */
export const recentConnections: SetName = { name: "beginning", id: 2, timeoutMs: 600_000 };
/** Networks with connections that are open. */
export const openConnections: SetName = { name: "open", id: 3, timeoutMs: null };

const refuse = "refuse";
/** Where is looked at what jobs send with. */
export const sources = "sources";
/** What else accepts a new connection leads here. */
export const begin = "begin";
const dnsPort = 53;
/** Where a container asks the machine by UDP whether its network is behind this filter ... */
export const probePort = 9;
/** ... and the error that it is told then: `ENONET` of Linux. */
export const probeAnswer = 64;
/** Router solicitation, neighbour solicitation, neighbour advertisement. */
const neighbourTypes = [133, 135, 136];

/** Chains that others jump to come first. */
export function chainsOf(policy: EgressPolicy): Chain[] {
  const from = interfaceNamed("iif", policy.bridgePrefix);
  const to = interfaceNamed("oif", policy.bridgePrefix);
  const proxied = interfaceNamed("iif", closedPrefix(policy.bridgePrefix, "proxy"));
  const closed = [interfaceNamed("iif", closedPrefix(policy.bridgePrefix, "none")), proxied];
  return [
    { name: refuse, hook: null, rules: [resetConnection(), rejectAsProhibited()] },
    { name: begin, hook: null, rules: beginRules(policy) },
    { name: "out", hook: null, rules: outRules(policy) },
    // Nobody begins a connection to a job but the job itself, and this machine.
    { name: "in", hook: null, rules: [[...knownConnection(), ...accept()], jump(refuse)] },
    { name: "host", hook: null, rules: hostRules(policy) },
    { name: "closed_out", hook: null, rules: [...sameNetworkRules(policy), jump(refuse)] },
    { name: "closed_host", hook: null, rules: closedHostRules(proxied) },
    ...(policy.checksSources ? [sourcesChain(from)] : []),
    {
      // These the kernel (since 6.8) takes into its table before it asks whether they may pass.
      name: "prerouting",
      hook: "prerouting",
      rules: (["broadcast", "multicast"] as const).map((whom) => [...from, ...sentTo(whom), ...untracked()]),
    },
    {
      name: "forward",
      hook: "forward",
      rules: [
        ...closed.map((which) => [...which, ...jump("closed_out")]),
        [...from, ...jump("out")],
        [...to, ...jump("in")],
      ],
    },
    {
      name: "input",
      hook: "input",
      rules: [...closed.map((which) => [...which, ...jump("closed_host")]), [...from, ...jump("host")]],
    },
  ];
}

/** What stays inside one network, where the machine lets bridged packets pass here as well. */
function sameNetworkRules({ bridgePrefix }: EgressPolicy): Expression[][] {
  const toJobs = interfaceNamed("oif", bridgePrefix);
  return [
    [...toJobs, ...noteInterface(sameInterface)],
    [...toJobs, ...interfacesIn(sameInterface), ...jump(begin)],
  ];
}

/** From jobs with a closed network to this machine: answers, and to the proxy of those that have one. */
function closedHostRules(proxied: readonly Expression[]): Expression[][] {
  return [
    [...knownConnection(), ...accept()],
    ...neighbourTypes.map((type) => [...icmpv6Type(type), ...accept()]),
    [...proxied, ...overProtocol(protocol.tcp), ...toPort(jobProxyPort), ...jump(begin)],
    jump(refuse),
  ];
}

/**
 * By IPv6 any program may send with whatever address it likes. With a neighbour's a job would have the kernel note a connection that
 * the neighbour began, whose answers then reach it; so what is forged is gone before the kernel notes it. Nobody is told: an answer
 * would go to the neighbour.
 */
function sourcesChain(from: readonly Expression[]): Chain {
  return { name: sources, hook: "prerouting", rules: [[...from, ...hasNoReturnRoute(), ...drop()]] };
}

/**
 * What may begin: so many of a network, not of an address, as a job has as many containers as it likes. The kernel's count of open
 * ones leaves out those of TCP that are closed, although they stay in its table for two minutes: those the pace holds. It stands
 * first, so that whoever keeps trying does not have the kernel count each time. What is refused elsewhere never comes here.
 */
function beginRules({ connections }: EgressPolicy): Expression[][] {
  if (connections === null) return [accept()];
  return [
    [...opensConnection(), ...exceedsConnectionRate(recentConnections, connections), ...jump(refuse)],
    [...opensConnection(), ...exceedsOpenConnections(openConnections, connections.open), ...jump(refuse)],
    accept(),
  ];
}

/** From jobs to anywhere but this machine. */
function outRules(policy: EgressPolicy): Expression[][] {
  const toJobs = interfaceNamed("oif", policy.bridgePrefix);
  return [
    [...knownConnection(), ...accept()],
    ...sameNetworkRules(policy),
    // Between networks.
    [...toJobs, ...jump(refuse)],
    ...policy.resolvers.flatMap(resolverRules),
    ...policy.servers.map((server) => [...toEndpoint(server), ...jump(begin)]),
    ...passedOnRules(policy),
    ...policy.allow.flatMap(allowRules),
    ...policy.hostAddresses.map((address) => [...to(address), ...jump(refuse)]),
    ...specialV4Ranges.map((range) => [...to(range), ...jump(refuse)]),
    [...destination(network(globalV6Range), "outside"), ...jump(refuse)],
    ...specialV6Ranges.map((range) => [...to(range), ...jump(refuse)]),
    jump(begin),
  ];
}

/** To this machine, which passes it on to a container: by what the job requested, not by where that lies. */
function passedOnRules(policy: EgressPolicy): Expression[][] {
  const tcp = overProtocol(protocol.tcp);
  return [
    ...[...policy.servers, ...localServers(policy)].map(({ address, port }) => [
      ...firstAddress(network(address).bytes),
      ...firstPort(port),
    ]),
    ...policy.allow
      .filter((target) => isSingle(target.network))
      .map((target) => [
        ...firstAddress(target.network.bytes),
        ...(target.port === null ? [] : firstPort(target.port)),
      ]),
  ].map((what) => [...isRedirected(), ...tcp, ...what, ...jump(begin)]);
}

function localServers({ localServerAddresses, localServerPorts }: EgressPolicy): Endpoint[] {
  return localServerPorts.flatMap((port) => localServerAddresses.map((address) => ({ address, port })));
}

/** From jobs to this machine. A network of the operator's list does not open it; one address does. */
function hostRules(policy: EgressPolicy): Expression[][] {
  const named = policy.allow.filter((target) => isSingle(target.network));
  return [
    [...knownConnection(), ...accept()],
    // Before what the operator opened.
    [...overProtocol(protocol.udp), ...toPort(probePort), ...isolated()],
    ...neighbourTypes.map((type) => [...icmpv6Type(type), ...accept()]),
    ...policy.localServerPorts.map((port) => [
      ...overProtocol(protocol.tcp),
      ...toPort(port),
      ...jump(begin),
    ]),
    // A runner in a container does not know that an address is the machine's.
    ...policy.servers.map((server) => [...toEndpoint(server), ...jump(begin)]),
    ...policy.resolvers.flatMap(resolverRules),
    ...(policy.answersNames ? dnsRules([]) : []),
    ...named.flatMap(allowRules),
    jump(refuse),
  ];
}

function network(text: string): Network {
  const parsed = networkOf(text);
  if (parsed === null) throw new Error(`${text} is not a network`);
  return parsed;
}

function to(text: string): Expression[] {
  return destination(network(text));
}

function toEndpoint({ address, port }: Endpoint): Expression[] {
  return [...to(address), ...overProtocol(protocol.tcp), ...toPort(port)];
}

function resolverRules(address: string): Expression[][] {
  return dnsRules(to(address));
}

function dnsRules(where: readonly Expression[]): Expression[][] {
  return [protocol.udp, protocol.tcp].map((number) => [
    ...where,
    ...overProtocol(number),
    ...toPort(dnsPort),
    ...jump(begin),
  ]);
}

function allowRules({ network: allowed, port }: AllowedTarget): Expression[][] {
  if (port === null) return [[...destination(allowed), ...jump(begin)]];
  return [protocol.tcp, protocol.udp].map((number) => [
    ...destination(allowed),
    ...overProtocol(number),
    ...toPort(port),
    ...jump(begin),
  ]);
}
