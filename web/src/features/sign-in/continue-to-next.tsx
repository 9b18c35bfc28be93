/** Goes where the visitor wanted to, once somebody is signed in. */
import { useEffect } from "react";
import { Navigate } from "react-router";
import { Skeleton } from "../../ui/skeleton.tsx";
import { isServersPage, nextPath } from "./next-path.ts";

export function ContinueToNext({ next }: { next: string | null }) {
  const path = nextPath(next);
  const leaves = isServersPage(path);
  useEffect(() => {
    if (leaves) window.location.replace(path);
  }, [leaves, path]);
  return leaves ? <Skeleton /> : <Navigate to={path} replace />;
}
