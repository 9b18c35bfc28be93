/** Pages about the viewer: visitors are asked to sign in, and come back. */
import { Navigate, Outlet, useLocation } from "react-router";
import { useSession } from "../api/session.ts";

export function SignedInOnly() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session) return <Outlet />;
  return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
}
