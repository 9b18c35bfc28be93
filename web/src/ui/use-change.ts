/** A change over the API. When it has worked it is told, and whatever is shown is asked for anew. */
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { sessionKey } from "../api/session.ts";
import { queryClient } from "../api/query-client.ts";
import { tell } from "./toasts.tsx";

export interface ChangeOptions<Output> {
  /** What a short message says afterwards. */
  said?: string | undefined;
  /** Before what is shown is asked for anew: a page about something that is gone now leaves here. */
  onDone?: ((output: Output) => unknown) | undefined;
  /** Changes of one name are made one after another: the last one made is the one that stays. */
  inOrder?: string | undefined;
}

export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  { said, onDone, inOrder }: ChangeOptions<Output> = {},
): UseMutationResult<Output, Error, Input> {
  return useMutation({
    mutationFn: change,
    ...(inOrder === undefined ? {} : { scope: { id: inOrder } }),
    onSuccess: async (output) => {
      await onDone?.(output);
      if (said !== undefined) tell(said);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    },
  });
}
