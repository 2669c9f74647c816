import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const PURE = 'api/ and engine/ are pure: take it as a parameter (docs/design.md)';
const IMPURE_GLOBALS = [
  'process',
  'fetch',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
];

export default defineConfig(
  { ignores: ['node_modules', 'dist', '**/*.js', '**/*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-empty': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Clock, randomness and I/O come in from the programs. What can be imported, .dependency-cruiser.cjs holds back.
    files: ['api/**', 'engine/**'],
    rules: {
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS.map((name) => ({ name, message: PURE }))],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: PURE },
        { object: 'Math', property: 'random', message: PURE },
        { object: 'crypto', property: 'randomUUID', message: PURE },
        { property: 'getRandomValues', message: PURE },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: PURE },
      ],
    },
  },
  {
    // Programs that people read in a terminal.
    files: ['test/**', 'manifests/**'],
    rules: { 'no-console': 'off' },
  },
);
