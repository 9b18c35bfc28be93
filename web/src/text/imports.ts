/** Words of imports from other hosts. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Import = Schemas["Import"];
type Kind = Import["include"][number];

export const text = {
  title: "Imports",
  lead: "Repositories that you brought over from GitHub or GitLab, with their issues and merge requests.",
  none: "You have imported nothing yet",
  intoLead:
    "What was brought over into this repository. Its administrators see it, stop it, and say who people are.",
  noneInto: "Nothing was imported into this repository",
  begin: "Import a repository",
  beginLead:
    "Branches, tags, issues and merge requests come over in the background, with their numbers, times and authors. Nobody is told of what comes.",
  instead: "Import one from GitHub or GitLab instead",
  docs: "How imports work",
  source: "From",
  sourceOf: (host: string, place: string, fromArchive: boolean) =>
    fromArchive ? `${host}, an export` : `${host}: ${place}`,
  sources: { github: "GitHub", gitlab: "GitLab" } satisfies Record<Import["source"], string>,
  repository: "Repository there",
  repositoryHint: "OWNER/NAME; of GitLab the path of the project, such as group/project.",
  apiUrl: "Address of the API",
  apiUrlHint:
    "Only for an own server: https://HOST/api/v3 of GitHub Enterprise, https://HOST/api/v4 of GitLab.",
  token: "Token",
  tokenHint:
    "A token of that host that may read the repository. It is deleted when the import ends. Without one only what is public comes, and GitHub allows few requests.",
  archive: "Export",
  archiveHint:
    "Instead of reading the other host: a migration archive of GitHub or a project export of GitLab (.tar.gz), which you upload here. No token is needed.",
  archives: "Exports",
  size: "Size",
  removedAt: "Removed",
  actions: "Actions",
  removeArchive: "Remove",
  removeArchiveOf: (name: string) => `Remove ${name}`,
  removeArchiveHint: "An import of it that has failed or was stopped cannot go on then.",
  archiveRemoved: "The export is removed",
  uploaded: (percent: number) => `${percent} % uploaded`,
  newName: "New name",
  newNameHint: "As there, if you leave it empty.",
  people: "People",
  peopleHint:
    "Who somebody there is here, one on each line: octocat = ada. You can name yourself and members of an organization that you own. Others keep their names, without an account here.",
  wrongPeople: (line: string) => `“${line}” is not of the form LOGIN = NAME.`,
  include: "What comes",
  kinds: {
    labels: "Labels",
    milestones: "Milestones",
    issues: "Issues",
    merge_requests: "Merge requests",
    comments: "Comments",
    reviews: "Reviews",
  } satisfies Record<Kind, string>,
  states: {
    queued: "Waiting",
    running: "Running",
    paused: "Paused",
    done: "Done",
    failed: "Failed",
    cancelled: "Stopped",
  } satisfies Record<Import["state"], string>,
  hints: {
    queued: "It begins in a moment. The repository is read-only until everything is there.",
    running: "You can leave this page. The repository is read-only until everything is there.",
    paused: "The other host allows no more requests for now. The import goes on by itself.",
    done: "Everything is there that could come. Look at the report below for what was left out or changed.",
    failed: "What has come stays, and the repository can be written to. You can go on where it ended.",
    cancelled: "What has come stays, and the repository can be written to. You can go on where it ended.",
  } satisfies Record<Import["state"], string>,
  state: "State",
  to: "To",
  begun: "Started",
  ended: "Ended",
  goesOn: "Goes on",
  progress: "What has come",
  numbers: "Numbers of merge requests",
  numbersOf: (offset: number) =>
    `GitLab counts them separately, so they come after the issues: !1 there is !${offset + 1} here.`,
  error: "Why it ended",
  report: "Report",
  reportLead: "What was left out, or is not as it was.",
  nothingLeftOut: "Nothing was left out",
  kind: "Kind",
  there: "There",
  reason: "What",
  cancel: "Stop",
  cancelTitle: "Stop the import?",
  cancelHint: "What has come stays. You can go on later.",
  cancelled: "The import is stopped",
  retry: "Go on",
  retryLead: "From where it ended: nothing comes twice.",
  retried: "The import goes on",
  open: "Open the repository",
} as const;

/** Who wrote something elsewhere. */
export const importedFrom = (host: string): string => `imported from ${host}`;
export const importedAs = (name: string, host: string): string => `as ${name} on ${host}`;
