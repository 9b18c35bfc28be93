/** Pages of the labels and milestones of a repository. */
import { lazyPage } from "../api/fetch-part.ts";

export const labelRoutes = [
  {
    path: "labels",
    lazy: lazyPage(() => import("../features/labels/labels-page.tsx"), "LabelsPage"),
  },
  {
    path: "milestones",
    lazy: lazyPage(() => import("../features/milestones/milestones-page.tsx"), "MilestonesPage"),
  },
];
