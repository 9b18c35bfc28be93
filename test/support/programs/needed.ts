/**
 * Every program that anything here starts, and where it comes from. `test/contract/needed-programs.test.ts` holds these lists
 * equal to what the sources start, `npm test` sets up what is missing of `neededPrograms`.
 */

export interface NeededProgram {
  /** Debian's package that has it; where releases differ, the others that may, in their order. */
  packages: readonly [string, ...string[]];
  /** Who starts it, in words: what does not work without it. */
  for: string;
  /** A file that names it, where no call has its name: it is started by a shell or another program, or is loaded. */
  namedIn?: string;
  /** Where it lies, if not where programs are looked for. */
  directory?: string;
  /** Tells whether it is there, where having a program of that name says too little. */
  probe?: readonly string[];
}

/** `npm test` sets them up. */
export const neededPrograms = {
  "aardvark-dns": {
    packages: ["aardvark-dns"],
    for: "tests with Podman",
    namedIn: "test/support/podman.ts",
    directory: "/usr/lib/podman",
  },
  busybox: { packages: ["busybox-static"], for: "the image that jobs run in" },
  certutil: { packages: ["libnss3-tools"], for: "forgeline trust" },
  // Without the parts of a desktop's browser: a third less of processor time for each page.
  "chromium-headless-shell": {
    packages: ["chromium-headless-shell"],
    for: "tests of pages",
    namedIn: "test/support/web/isolated/launch.ts",
  },
  curl: {
    packages: ["curl"],
    for: "installing a runner by the line that is pasted",
    namedIn: "test/integration/launcher/downloads.test.ts",
  },
  // Where docker.io has only the daemon, the client has a package of its own.
  docker: {
    packages: ["docker.io", "docker-cli"],
    for: "containers of the example scaler, and the benchmark's comparison with bare Docker",
  },
  chattr: { packages: ["e2fsprogs"], for: "a test of what the runner removes" },
  dockerd: { packages: ["docker.io"], for: "jobs" },
  faketime: {
    packages: ["faketime"],
    for: "tests with a wrong clock",
    namedIn: "test/support/wrong-clock.ts",
  },
  git: { packages: ["git"], for: "everything" },
  "git-lfs": {
    packages: ["git-lfs"],
    for: "tests of Git LFS",
    namedIn: "test/integration/git/lfs/client.test.ts",
  },
  ip: { packages: ["iproute2"], for: "tests of pages, and those with a Docker daemon of their own" },
  iptables: { packages: ["iptables"], for: "the Docker daemon" },
  ip6tables: { packages: ["iptables"], for: "a test of the runner's packet filter" },
  java: {
    packages: ["default-jdk-headless"],
    for: "an example of docs/webhooks.md",
    namedIn: "test/contract/webhook-receivers.test.ts",
  },
  "mkfs.ext4": { packages: ["e2fsprogs"], for: "npm run chaos" },
  "mkfs.xfs": { packages: ["xfsprogs"], for: "npm run chaos" },
  netavark: {
    packages: ["netavark"],
    for: "tests with Podman",
    namedIn: "test/support/podman.ts",
    directory: "/usr/lib/podman",
  },
  newuidmap: {
    packages: ["uidmap"],
    for: "tests with rootless Docker and Podman",
    namedIn: "test/support/rootless-docker.ts",
  },
  nft: {
    packages: ["nftables"],
    for: "a test of the runner's packet filter",
    namedIn: "test/unit/runner/egress/table.test.ts",
  },
  podman: { packages: ["podman"], for: "tests with Podman", namedIn: "test/support/podman.ts" },
  ps: { packages: ["procps"], for: "tests that count Git's processes" },
  python3: {
    packages: ["python3-venv"],
    for: "schemathesis, dulwich and an example of docs/webhooks.md",
    probe: ["-c", "import venv, ensurepip"],
  },
  rootlesskit: {
    packages: ["rootlesskit"],
    for: "tests with rootless Docker and Podman",
    namedIn: "test/support/rootless-docker.ts",
  },
  rsyslogd: { packages: ["rsyslog-openssl"], for: "tests of streams of audit logs" },
  runc: { packages: ["runc"], for: "tests with Podman", namedIn: "test/support/podman.ts" },
  scp: { packages: ["openssh-client"], for: "tests of Git over SSH" },
  slirp4netns: {
    packages: ["slirp4netns"],
    for: "tests with rootless Docker and Podman",
    namedIn: "test/support/rootless-docker.ts",
  },
  ssh: { packages: ["openssh-client"], for: "tests of Git over SSH" },
  "ssh-keygen": { packages: ["openssh-client"], for: "tests with SSH keys" },
  strace: { packages: ["strace"], for: "tests that kill Git at a chosen moment" },
  "update-ca-certificates": { packages: ["ca-certificates"], for: "forgeline trust, and Go's downloads" },
} as const satisfies Record<string, NeededProgram>;

export type NeededName = keyof typeof neededPrograms;

/** Of packages without which no Debian is; the second is a file that names it, where no call does. */
export const essentialPrograms: Readonly<Record<string, string | undefined>> = {
  "apt-get": undefined,
  bash: "test/unit/runner/engine/docker/step-script.test.ts",
  cat: undefined,
  chmod: undefined,
  chrt: undefined,
  cp: undefined,
  dash: "test/unit/runner/engine/docker/step-script.test.ts",
  du: undefined,
  env: "test/unit/runner/engine/docker/step-script.test.ts",
  fallocate: undefined,
  find: undefined,
  flock: undefined,
  grep: undefined,
  id: undefined,
  ionice: undefined,
  ldd: undefined,
  mkdir: undefined,
  mkfifo: undefined,
  mknod: undefined,
  mount: undefined,
  perl: "test/hostile/76-egress.test.ts",
  rm: undefined,
  script: "test/support/command-line.ts",
  sh: undefined,
  sleep: undefined,
  stty: "test/support/command-line.ts",
  sync: undefined,
  tar: undefined,
  true: "test/support/strace.ts",
  truncate: undefined,
  umount: undefined,
  unshare: undefined,
  useradd: undefined,
};

/** What is neither: how it comes to be there. */
export const unpackagedPrograms: Readonly<Record<string, string>> = {
  go: "of the machine; else of PyPI, where something has to be built with it",
  "no-such-program": "never: a test of what is missing",
  npm: "with Node",
  "pre-receive": "our own, in server/platform/git/hooks",
  "temporal-server": "of the machine; else downloaded or built into the cache",
  "temporal-sql-tool": "as temporal-server",
};

/** To be shown to somebody who has to install it. */
export function installHint(program: NeededName): string {
  const { packages, for: what } = neededPrograms[program];
  return `${program} is missing, for ${what}: sudo apt-get install ${packages[0]}  (Debian and Ubuntu; else as your system has it)`;
}
