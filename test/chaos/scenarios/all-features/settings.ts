/** What the parts of the scenario must agree on. */

/** After how much silence a job is taken from its runner. A busy machine must not come near it without a fault. */
export const reclaimMs = 20_000;
export const mainRepository = "acme/all";
export const runsOf = (repository = mainRepository) => `/repos/${repository}/pipelines`;
