/** Where a run's page is. */

/** `webUrl`: of the instance; `repository`: `owner/name`; `number`: that of the run in it. */
export function runAddress(webUrl: string, repository: string, number: number): string {
  return `${webUrl}/${repository}/pipelines/${number}`;
}
