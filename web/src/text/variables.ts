/** Text of the pages about variables. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export const text = {
  title: "Variables",
  lead: {
    instance:
      "Every run on this instance has them, unless its organization, its repository or the run itself sets others.",
    organization:
      "Every run in a repository of this organization has them, unless the repository or the run itself sets others.",
    repository:
      "Every run in this repository has them, unless the environment of a job or the run itself sets others.",
    environment: "Jobs that deploy to this environment have them, unless the run itself sets others.",
  } satisfies Record<Schemas["Variable"]["level"], string>,
  docs: "How variables reach a run, and which one wins",
  notSecret: "Variables are no secrets: whoever may run pipelines sees their values.",
  none: "No variables",
  noneHint: "Set one to give a value to every run, such as a region or an address.",
  name: "Name",
  nameHint: "Letters, digits and underscores; not beginning with a digit or with CI_.",
  value: "Value",
  valueHint: "Up to 64 KiB. In expressions it is vars.NAME, in steps a variable of the environment.",
  changedBy: "Changed by",
  changed: "Changed",
  actions: "Actions",
  add: "Set variable",
  save: "Save",
  saved: "Variable saved.",
  change: "Change",
  changeName: (name: string) => `Change ${name}`,
  changeTitle: (name: string) => `Value of ${name}`,
  remove: "Delete",
  removeName: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeHint:
    "Runs that begin from now on do not have it. Files that ask for it without a default end in an error.",
  removed: "Variable deleted.",
} as const;
