import type { Message, Part } from "@a2a-js/sdk";
import type { ContentPart } from "../../contracts/content.js";
import { partOfData, partOfDataUrl, promptOfParts } from "../../http/requests/prompt-content.js";
import { badRequest } from "../../http/requests/request-body.js";
import { base64Of } from "../../text/base64.js";

/**
 * A message as a prompt. Data is read as JSON text; a file has to be sent, since URLs are not fetched.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function promptOfMessage({ parts }: Message): string | readonly ContentPart[] {
  if (parts.length === 0) throw badRequest("The message has no parts. Send at least one.", "parts");
  return promptOfParts(parts.map(partOf));
}

function partOf({ content, mediaType, filename }: Part): ContentPart {
  switch (content?.$case) {
    case "text":
      return { type: "text", text: content.value };
    case "data":
      return { type: "text", text: JSON.stringify(content.value ?? null) };
    case "raw":
      return partOfData(mediaType || "application/octet-stream", base64Of(content.value), filename || undefined);
    case "url":
      return partOfDataUrl(content.value, filename || undefined);
    default:
      throw badRequest("A part of the message has no content. Send text, data, raw or url.", "parts");
  }
}
