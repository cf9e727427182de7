import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ErrorState } from '../kit/error-state.tsx';
import { signInPath } from '../kit/return-path.ts';
import { useSessionKeeper } from '../kit/session.tsx';

const EnrolPage = lazy(() => import('../pages/second-factor/enrol-page.tsx'));

/** Redirects to the sign-in page if nobody is signed in, and back afterwards. */
export function WhenSignedIn({ children }: { children: ReactNode }) {
  const { state, look } = useSessionKeeper();
  const location = useLocation();
  if (state.kind === 'unknown') return null;
  if (state.kind === 'unreachable') return <ErrorState error={state.error} onRetry={look} />;
  if (state.kind === 'signed_out') return <Navigate to={state.hasLeft ? '/sign-in' : signInPath(location)} replace />;
  if (state.must_enrol)
    return (
      <Suspense>
        <EnrolPage />
      </Suspense>
    );
  return children;
}
