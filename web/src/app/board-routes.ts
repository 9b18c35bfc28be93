/** Pages of the boards of a repository. */
import { lazyPage } from "../api/fetch-part.ts";

export const boardRoutes = [
  { path: "boards", lazy: lazyPage(() => import("../features/boards/boards-page.tsx"), "BoardsPage") },
  { path: "boards/:id", lazy: lazyPage(() => import("../features/boards/board-page.tsx"), "BoardPage") },
];
