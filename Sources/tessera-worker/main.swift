import TesseraExamination
import TesseraWorker

WorkerProcess.run(examiner: LoadingObserver())
