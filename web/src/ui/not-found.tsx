/** For an address that names nothing, or nothing that this person may see: one page for both. */
import { Link, useLocation } from "react-router";
import { useSession } from "../api/session.ts";
import { text } from "../text/general.ts";
import { EmptyState } from "./empty-state.tsx";
import { useTitle } from "./page.tsx";

export function NotFound() {
  useTitle(text.notFoundTitle);
  const session = useSession();
  const here = useLocation();
  const next = encodeURIComponent(here.pathname + here.search);
  return (
    <EmptyState
      whole
      title={text.notFoundTitle}
      action={
        session ? <Link to="/">{text.toHome}</Link> : <Link to={`/login?next=${next}`}>{text.signIn}</Link>
      }
    >
      {text.notFound} {session ? null : text.notFoundSignIn}
    </EmptyState>
  );
}
