/** Pages of the environments of a repository. */
import { lazyPage } from "../api/fetch-part.ts";

const secretsPage = () => import("../features/secrets/secrets-page.tsx");
const secretPage = () => import("../features/secrets/secret-page.tsx");

export const environmentRoutes = [
  {
    path: "environments",
    lazy: lazyPage(() => import("../features/environments/environments-page.tsx"), "EnvironmentsPage"),
  },
  {
    path: "environments/:environment",
    lazy: lazyPage(() => import("../features/environments/environment-page.tsx"), "EnvironmentPage"),
  },
  {
    path: "environments/:environment/variables",
    lazy: lazyPage(() => import("../features/variables/variables-page.tsx"), "VariablesPage"),
  },
  { path: "environments/:environment/secrets", lazy: lazyPage(secretsPage, "SecretsPage") },
  { path: "environments/:environment/secrets/:name", lazy: lazyPage(secretPage, "SecretPage") },
];
