/** Chooses files to upload for a text. */
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { text } from "../../text/markdown.ts";
import { IconButton } from "../../ui/button.tsx";

export function AttachmentButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={text.attach} onClick={() => input.current?.click()}>
        <Paperclip size={16} aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text.attach}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
