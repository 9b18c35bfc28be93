/** Words about keys that sign jobs. */
export const text = {
  title: "Keys that sign jobs",
  lead: "Runners that trust these keys execute only what this server has signed with them. Each key signs every job from its creation on.",
  docs: "How signed jobs work",
  none: "No keys",
  noneHint: "Jobs are not signed. Runners that accept signed jobs only refuse them.",
  key: "Line for runners",
  created: "Created",
  createdBy: "By",
  actions: "Actions",
  add: "Create a key",
  addTitle: "Create a key that signs jobs?",
  addHint:
    "Jobs that are queued from now on have its signature. Put its line into the trusted keys of your runners.",
  added: "The key signs jobs now.",
  remove: "Delete",
  removeName: (id: string) => `Delete the key ${id}`,
  removeTitle: "Delete this key?",
  removeHint:
    "Jobs that are queued from now on do not have its signature. Runners that trust no other key refuse them.",
  removed: "The key is deleted.",
};
