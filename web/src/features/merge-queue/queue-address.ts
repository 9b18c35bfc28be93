/** Where the merge queue of a branch is shown. */
export function queueAddress(fullName: string, branch: string): string {
  return `/${fullName}/merge-queue?${new URLSearchParams({ branch }).toString()}`;
}
