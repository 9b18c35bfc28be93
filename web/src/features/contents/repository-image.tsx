/**
 * A picture out of a repository. SVG comes from the API as text, which no browser draws, so its bytes are fetched and given
 * their type here; within `img` it runs no script and fetches nothing.
 */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";

export interface RepositoryImageProps {
  /** Of the bytes. */
  address: string;
  name: string;
  alt: string;
  width?: string | number | undefined;
  height?: string | number | undefined;
}

export function RepositoryImage({ name, ...rest }: RepositoryImageProps) {
  if (name.toLowerCase().endsWith(".svg")) return <VectorImage {...rest} />;
  const { address, alt, ...size } = rest;
  return <img src={address} alt={alt} loading="lazy" {...size} />;
}

function VectorImage({ address, alt, ...size }: Omit<RepositoryImageProps, "name">) {
  const { data } = useQuery({
    queryKey: ["image", address],
    queryFn: () => fetchBytes(address),
    retry: false,
  });
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !data) return;
      const made = URL.createObjectURL(new Blob([data], { type: "image/svg+xml" }));
      image.src = made;
      return () => URL.revokeObjectURL(made);
    },
    [data],
  );
  return <img ref={show} alt={alt} {...size} />;
}

async function fetchBytes(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the picture came with status ${answer.status}`);
  return answer.arrayBuffer();
}
