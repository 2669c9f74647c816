import express, { type NextFunction, type Request, type Response } from 'express';
import { MalformedReview } from '../review/admissionReview.ts';
import { isTooDeep } from '../review/json.ts';

/** An API server sends objects of up to 3 MiB, and on an update the old one too. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const JSON_TYPE = /^application\/json *(?:; *charset=utf-8)? *$/i;

/** A body of another form than an API server sends. */
export class UnsupportedBody extends Error {
  override name = 'UnsupportedBody';
}

/** Reads a body as JSON: what it may cost is limited before it is parsed. */
export const readBody = [
  (request: Request, _: Response, next: NextFunction): void => {
    if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
      throw new UnsupportedBody('the body is not application/json in UTF-8');
    next();
  },
  express.json({
    limit: MAX_BODY_BYTES,
    inflate: false,
    verify: (_request, _response, body) => {
      if (isTooDeep(body)) throw new MalformedReview('the body is nested too deep');
    },
  }),
];
