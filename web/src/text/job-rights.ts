/** Words about what a job may reach and do. */
export const text = {
  privileged: "privileged",
  privilegedHint: "Its containers have all rights on the runner's machine.",
  noNetwork: "no network",
  reachesOnly: (hosts: string) => `reaches only ${hosts}`,
  token: (permissions: string) => `token: ${permissions}`,
} as const;
