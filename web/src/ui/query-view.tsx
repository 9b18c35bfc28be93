/** What a query has: its data, a stand-in while it is fetched for the first time, or what went wrong. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isNotFound } from "../api/problem.ts";
import { NotFound } from "./not-found.tsx";
import { ProblemNotice } from "./notice.tsx";
import { Skeleton } from "./skeleton.tsx";

export function QueryView<T, E>(props: {
  query: Pick<UseQueryResult<T, E>, "data" | "error">;
  children: (data: T) => ReactNode;
  lines?: number;
}) {
  const { data, error } = props.query;
  if (data !== undefined) return <>{props.children(data)}</>;
  if (isNotFound(error)) return <NotFound />;
  if (error) return <ProblemNotice error={error} />;
  return <Skeleton lines={props.lines ?? 4} />;
}
