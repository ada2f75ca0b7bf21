{{/* What pfq is told in the cluster, as a list of variables. */}}
{{- define "pfq.operatorEnvironment" -}}
{{- range $name, $service := include "pfq.services" . | fromYaml }}
{{- if $service.operated }}
- { name: PFQ_OPERATOR_{{ snakecase $name | upper }}_URL, value: {{ include "pfq.rpcUrl" (list $ $name) | quote }} }
{{- end }}
{{- end }}
- { name: PFQ_OPERATOR_TOKEN_FILE, value: /etc/pfq/secrets/OPERATOR_TOKEN }
{{- if .Values.mutualTls.enabled }}
- { name: PFQ_OPERATOR_TLS_DIR, value: /etc/pfq/tls }
{{- end }}
{{- end }}

{{/* Where pfq finds its files, as lists of volumes and of their mounts. */}}
{{- define "pfq.operatorVolumes" -}}
- name: secrets
  secret:
    secretName: {{ include "pfq.secretName" . }}
    defaultMode: 0440
    items: [{ key: {{ .Values.secrets.keys.operatorToken }}, path: OPERATOR_TOKEN }]
{{- if .Values.mutualTls.enabled }}
{{ include "pfq.tlsVolume" (list . "operator") }}
{{- end }}
{{- end }}

{{- define "pfq.operatorMounts" -}}
- { name: secrets, mountPath: /etc/pfq/secrets, readOnly: true }
{{- if .Values.mutualTls.enabled }}
- { name: tls, mountPath: /etc/pfq/tls, readOnly: true }
{{- end }}
{{- end }}

{{/* A pod as `kubectl run pfq` is to change its own; its name is made by the cluster, so that two people have two. */}}
{{- define "pfq.operatorPod" -}}
metadata:
  name: null
  generateName: {{ include "pfq.fullname" . }}-operator-
  labels:
    {{- include "pfq.selector" (list . "operator") | nindent 4 }}
spec:
  serviceAccountName: {{ include "pfq.fullname" . }}-operator
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    {{- include "pfq.podSecurityContext" . | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with include "pfq.placement" (include "pfq.sharedSettings" . | fromYaml) }}
  {{- . | nindent 2 }}
  {{- end }}
  containers:
    - name: pfq
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        {{- include "pfq.containerSecurityContext" . | nindent 8 }}
      env:
        {{- include "pfq.operatorEnvironment" . | nindent 8 }}
      resources:
        requests: { cpu: 50m, memory: 96Mi, ephemeral-storage: 16Mi }
        limits: { memory: 256Mi, ephemeral-storage: 64Mi }
      volumeMounts:
        {{- include "pfq.operatorMounts" . | nindent 8 }}
  volumes:
    {{- include "pfq.operatorVolumes" . | nindent 4 }}
{{- end }}
