/** Words of the filters above lists of issues and merge requests. */
export const text = {
  filters: "Filters",
  search: "Search, as in no:label crash",
  label: "Label",
  author: "Author",
  assignee: "Assignee",
  milestone: "Milestone",
  none: "none",
  nobodyAssigned: "Nobody assigned",
  withoutMilestone: "Without a milestone",
  filtered: (name: string, value: string) => `${name}: ${value}`,
  sort: "Sort",
  sorts: {
    "created-desc": "Newest",
    "created-asc": "Oldest",
    "updated-desc": "Recently updated",
    "updated-asc": "Least recently updated",
    "comments-desc": "Most commented",
    "comments-asc": "Least commented",
  },
  clear: "Clear filters",
};
