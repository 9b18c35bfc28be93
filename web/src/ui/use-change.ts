/** A change over the API. When it has worked it is told, and whatever is shown is requested again. */
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { sessionKey } from "../api/session.ts";
import { queryClient } from "../api/query-client.ts";
import { showToast } from "./toasts.tsx";

export interface ChangeOptions<Output> {
  /** What a short message says once the page shows it, too. */
  said?: string | undefined;
  /** Before what is shown is requested again: a page about something that is gone now leaves here. */
  onDone?: ((output: Output) => unknown) | undefined;
  /** Changes of one name are made one after another: the last one made is the one that stays. */
  inOrder?: string | undefined;
  /**
   * Names that address something which is not there any more, such as the owner and the name of a deleted repository: what is
   * known under all of them is not asked for again, though the page that is left may still be shown. None: nothing is gone.
   */
  gone?: ((output: Output) => readonly string[]) | undefined;
}

export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  { said, onDone, inOrder, gone }: ChangeOptions<Output> = {},
): UseMutationResult<Output, Error, Input> {
  return useMutation({
    mutationFn: change,
    ...(inOrder === undefined ? {} : { scope: { id: inOrder } }),
    onSuccess: async (output) => {
      await onDone?.(output);
      const goneNames = gone?.(output) ?? [];
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] && !isAbout(queryKey, goneNames),
      });
      if (said !== undefined) showToast(said);
    },
  });
}

function isAbout(queryKey: readonly unknown[], names: readonly string[]): boolean {
  const parts = stringsIn(queryKey);
  return names.length > 0 && names.every((name) => parts.includes(name));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
