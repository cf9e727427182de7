{{- define "lading.name" -}}
{{- if contains "lading" .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- else -}}{{ printf "%s-lading" .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}
{{- end }}

{{- define "lading.selector" -}}
app.kubernetes.io/name: lading
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "lading.labels" -}}
{{ include "lading.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "lading.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "lading.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lading.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* A pod of `lading serve`. The command and its role are those of .component. */ -}}
{{- define "lading.pod" -}}
metadata:
  labels:
    {{- include "lading.labels" . | nindent 4 }}
  {{- with .root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "lading.name" .root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    {{- include "lading.podSecurity" . | nindent 4 }}
  # Longer than DRAIN_S and the 35 s that the service itself allows.
  terminationGracePeriodSeconds: {{ add 40 (int (.root.Values.settings.DRAIN_S | default 1)) }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "lading.selector" . | nindent 10 }}
  containers:
    - name: lading
      image: {{ include "lading.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve, --role, {{ .component }}, --no-migrate, --no-demo]
      env:
        - name: DATABASE_URL_FILE
          value: /run/secrets/lading/database_url
        - name: MASTER_KEY_FILE
          value: /run/secrets/lading/master_key
        {{- range $name, $value := .root.Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      ports:
        - name: http
          containerPort: 8080
      startupProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 2
        timeoutSeconds: 6
        failureThreshold: 2
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- include "lading.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: secrets
          mountPath: /run/secrets/lading
          readOnly: true
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: secrets
      secret:
        secretName: {{ required "secretName is required: a Secret with the keys database_url and master_key" .root.Values.secretName }}
        defaultMode: 288
        items:
          - key: database_url
            path: database_url
          - key: master_key
            path: master_key
    - name: tmp
      emptyDir: { sizeLimit: 64Mi }
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
