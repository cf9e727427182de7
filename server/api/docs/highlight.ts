import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from '../../platform/escape-html.ts';

const grammars = { bash, csharp, go, http, java, javascript, json, php, python, typescript, yaml };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** The languages of code blocks, and the names of their tabs. */
const programming: Record<string, { grammar: keyof typeof grammars; label: string }> = {
  sh: { grammar: 'bash', label: 'curl' },
  ts: { grammar: 'typescript', label: 'TypeScript' },
  js: { grammar: 'javascript', label: 'JavaScript' },
  python: { grammar: 'python', label: 'Python' },
  php: { grammar: 'php', label: 'PHP' },
  java: { grammar: 'java', label: 'Java' },
  csharp: { grammar: 'csharp', label: 'C#' },
  go: { grammar: 'go', label: 'Go' },
};
const data: Record<string, keyof typeof grammars> = { json: 'json', http: 'http', yaml: 'yaml' };

/** The name of a programming language; undefined for data and plain text. */
export function programmingLabel(language: string): string | undefined {
  return programming[language]?.label;
}

/** The code as HTML. It is coloured here, so that the browser needs no script for it. */
export function highlight(code: string, language: string): string {
  const grammar = programming[language]?.grammar ?? data[language];
  return grammar === undefined ? escapeHtml(code) : hljs.highlight(code, { language: grammar }).value;
}
