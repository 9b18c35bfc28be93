/** Mistakes in what jobs may reach. */
import type { Mutant } from "./mutant.ts";

const rules = "runner/egress/rules.ts";
const bytes = "test/unit/runner/egress/table.test.ts";
const hidden = ["test/hostile/76-egress.test.ts", bytes];
const machine = ["test/hostile/76-machine.test.ts", bytes];
const connections = ["test/hostile/76-connections.test.ts", bytes];
const registries = ["test/hostile/76-registries.test.ts"];
const life = ["test/unit/runner/egress/filter.test.ts"];

export const egress: readonly Mutant[] = [
  {
    name: "egress-metadata",
    promise: "Security 43: no job reaches the metadata service.",
    file: "schemas/core/special-addresses.ts",
    find: `  "169.254.0.0/16",\n`,
    replace: ``,
    tests: hidden,
  },
  {
    name: "egress-ipv6",
    promise: "Security 43: what is no public address of IPv6 is not reached either.",
    file: rules,
    find: `    [...destination(network(globalV6Range), "outside"), ...jump(refuse)],\n`,
    replace: ``,
    tests: hidden,
  },
  {
    name: "egress-own-services",
    promise: "Jobs reach their own services also where bridged packets are filtered.",
    file: rules,
    find: `    [...toJobs, ...interfacesIn(sameInterface), ...jump(begin)],\n`,
    replace: ``,
    tests: hidden,
  },
  {
    name: "egress-port-of-list",
    promise: "Security 76: an entry of the operator's list with a port opens that port alone.",
    file: rules,
    find: "  if (port === null) return [[...destination(allowed), ...jump(begin)]];\n",
    replace: "  if (port !== 0) return [[...destination(allowed), ...jump(begin)]];\n",
    tests: [bytes],
  },
  {
    name: "egress-neighbours",
    promise: "Security 43: no job reaches another, whatever Docker does.",
    file: rules,
    find: `    [...toJobs, ...jump(refuse)],\n`,
    replace: ``,
    tests: machine,
  },
  {
    name: "egress-machine",
    promise: "Security 43: no job reaches a port of its machine but the server's.",
    file: rules,
    find: `    { name: "input", hook: "input", rules: [[...from, ...jump("host")]] },\n`,
    replace: ``,
    tests: machine,
  },
  {
    name: "egress-network-opens-machine",
    promise: "Security 76: a network of the operator's list does not open the machine.",
    file: rules,
    find: "  const named = policy.allow.filter((target) => isSingle(target.network));\n",
    replace: "  const named = policy.allow;\n",
    tests: machine,
  },
  {
    name: "egress-server-passed-on",
    promise: "A server in a container of the machine is reached by the machine's port.",
    file: rules,
    find: "    ...passedOnRules(policy),\n",
    replace: "",
    tests: machine,
  },
  {
    name: "egress-connections-open",
    promise: "Security 76: a job has so many connections open as it may.",
    file: rules,
    find: "    [...beginsConnection(), ...tooManyOpen(openOnes, connections.open), ...jump(refuse)],\n",
    replace: "",
    tests: connections,
  },
  {
    name: "egress-connections-closed",
    promise: "Security 76: connections that are closed count while the kernel remembers them.",
    file: rules,
    find: "    [...beginsConnection(), ...beginTooFast(beginning, connections), ...jump(refuse)],\n",
    replace: "",
    tests: connections,
  },
  {
    name: "egress-connections-multicast",
    promise: "Security 76: what is sent to all takes no room in the table of connections.",
    file: rules,
    find: "...from, ...sentTo(whom), ...untracked()",
    replace: "...from, ...sentTo(whom)",
    tests: connections,
  },
  {
    name: "egress-cannot-count",
    promise: "A kernel that cannot count connections gets the filter all the same.",
    file: "runner/egress/filter.ts",
    find: "policy.connections === null || !cannotCount(messageOf(error))",
    replace: "policy.connections === null || cannotCount(messageOf(error))",
    tests: life,
  },
  {
    name: "egress-removed",
    promise: "Security 76: no job starts without the filter, once it was on.",
    file: "runner/engine/docker/docker-engine.ts",
    find: "    await egress.ensure();\n",
    replace: "",
    tests: ["test/hostile/76-machine.test.ts"],
  },
  {
    name: "egress-required",
    promise: "A runner whose operator requires the filter does not start without it.",
    file: "runner/egress/filter.ts",
    find: `    if (settings.mode === "required")`,
    replace: `    if (settings.mode === "filter" && reason === "")`,
    tests: life,
  },
  {
    name: "egress-elsewhere",
    promise: "The filter is where the networks of jobs are.",
    file: "runner/egress/filter.ts",
    find: "      if (kernel !== own || deps.hasInterface(name)) return;\n",
    replace: "      if (kernel !== own || name !== '') return;\n",
    tests: life,
  },
  {
    name: "egress-registries",
    promise: "Security 76: no name of an image has the daemon dial inward.",
    file: "runner/engine/docker/images.ts",
    find: "        await options.checkRegistry(name);\n",
    replace: "",
    tests: [...registries, "test/unit/runner/engine/docker/images.test.ts"],
  },
  {
    name: "egress-registry-any-address",
    promise: "Security 76: each address of a registry counts, not the first.",
    file: "runner/egress/registry-guard.ts",
    find: "  for (const address of addresses) {",
    replace: "  for (const address of addresses.slice(0, 1)) {",
    tests: registries,
  },
];
