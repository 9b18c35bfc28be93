/** Words of the filters of a list of runs. */
export const text = {
  filters: "Filters",
  status: "Status",
  anyStatus: "Any status",
  event: "Started by",
  anyEvent: "Anything",
  events: {
    push: "push",
    tag: "tag",
    merge_request: "merge request",
    api: "REST or command line",
    schedule: "schedule",
    manual: "button",
    mirror_sync: "sync of the mirror",
    fork_sync: "sync with the upstream",
    pipeline: "another pipeline",
  },
  file: "Pipeline file",
  ref: "Branch or tag",
  actor: "Person",
  apply: "Filter",
  clear: "Show all",
};
