/** The order of jobs that wait for a runner, as an author writes it. */
import { z } from "zod";

export const lowestPriority = -100;
export const highestPriority = 100;

export const FilePriority = z.int().min(lowestPriority).max(highestPriority).meta({
  id: "priority",
  description:
    "Place in the queue of the repository: the higher, the earlier. Default 0, or -10 in runs that a schedule or a sync started.",
});
