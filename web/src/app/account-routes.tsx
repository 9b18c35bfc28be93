/** Addresses about the viewer: signing in, and what apps ask. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";

/** For whoever is not signed in yet. */
export const signInRoutes: RouteObject[] = [
  { path: "/login", lazy: lazyPage(() => import("../features/sign-in/sign-in-page.tsx"), "SignInPage") },
  { path: "/sign-up", lazy: lazyPage(() => import("../features/sign-in/sign-up-page.tsx"), "SignUpPage") },
  {
    path: "/-/forgotten-password",
    lazy: lazyPage(() => import("../features/sign-in/forgotten-password-page.tsx"), "ForgottenPasswordPage"),
  },
  {
    path: "/reset-password",
    lazy: lazyPage(() => import("../features/sign-in/reset-password-page.tsx"), "ResetPasswordPage"),
  },
  {
    path: "/-/verify-email",
    lazy: lazyPage(() => import("../features/sign-in/verify-email-page.tsx"), "VerifyEmailPage"),
  },
];

/** What apps ask, for whoever is signed in. */
export const authorizeRoute: RouteObject = {
  path: "/oauth/authorize",
  lazy: lazyPage(() => import("../features/oauth/authorize-page.tsx"), "AuthorizePage"),
};
